package dev.skep.runner.command;

/** The result of a built-in command. */
public record CommandResult(String text, LoopEffect effect) {
    public static CommandResult of(String text) {
        return new CommandResult(text, new LoopEffect.None());
    }

    public static CommandResult refused(String problem) {
        return of("error: " + problem);
    }
}
