package dev.skep.runner.command;

import org.jspecify.annotations.Nullable;

/**
 * The result of a built-in command.
 *
 * @param detail what programs read of it, as a JSON object for the log; null if the text says it
 *     all
 */
public record CommandResult(String text, LoopEffect effect, @Nullable String detail) {
    public CommandResult(String text, LoopEffect effect) {
        this(text, effect, null);
    }

    public static CommandResult of(String text) {
        return new CommandResult(text, new LoopEffect.None());
    }

    public static CommandResult detailed(String text, String detail) {
        return new CommandResult(text, new LoopEffect.None(), detail);
    }

    public static CommandResult refused(String problem) {
        return of("error: " + problem);
    }
}
