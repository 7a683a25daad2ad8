package dev.skep.runner.command;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command of the runner's own. Thread-safe: all agents share one. */
public interface BuiltInCommand {
    String name();

    /** One line for the list of commands. */
    String summary();

    /** How to call it, one line for each way. */
    String usage();

    /**
     * Runs it.
     *
     * @param words what stood after the name
     * @param input a here-document, or null
     */
    CommandResult run(Caller caller, List<String> words, @Nullable String input)
            throws InterruptedException;
}
