package dev.skep.runner.command;

/** What a built-in command came to. */
public record Answer(String text, Effect effect) {
    public static Answer of(String text) {
        return new Answer(text, new Effect.None());
    }

    public static Answer refused(String problem) {
        return of("error: " + problem);
    }
}
