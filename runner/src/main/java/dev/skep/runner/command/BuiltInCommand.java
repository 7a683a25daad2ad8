package dev.skep.runner.command;

import dev.skep.models.ModelCard;
import dev.skep.models.ToolOffer;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A command of the runner's own. Thread-safe: all agents share one. */
public interface BuiltInCommand {
    String name();

    /** One line for the list of commands. */
    String summary();

    /** How to call it, one line for each way. */
    String usage();

    /** Whether an agent with this model has any use for it. */
    default boolean suits(ModelCard model) {
        return true;
    }

    /** What models that call tools are offered for it, beside the command line. */
    default Optional<ToolOffer> offer() {
        return Optional.empty();
    }

    /**
     * What the agent's rules of protection decide about; empty for a command that needs nobody's
     * yes.
     *
     * @param rest what stands after the name
     */
    default Optional<GuardedAction> guarded(String rest) {
        return Optional.empty();
    }

    /** Whether it reads its line itself, as it stands, instead of words. */
    default boolean takesWholeLine() {
        return false;
    }

    /**
     * Runs it.
     *
     * @param words what stood after the name; one word if it takes the whole line
     * @param input a here-document, or null
     */
    CommandResult run(Caller caller, List<String> words, @Nullable String input)
            throws InterruptedException;
}
