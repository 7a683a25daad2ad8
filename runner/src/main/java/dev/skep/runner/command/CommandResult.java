package dev.skep.runner.command;

/** What a built-in command came to. */
public record CommandResult(String text, LoopEffect effect) {
    public static CommandResult of(String text) {
        return new CommandResult(text, new LoopEffect.None());
    }

    public static CommandResult refused(String problem) {
        return of("error: " + problem);
    }
}
