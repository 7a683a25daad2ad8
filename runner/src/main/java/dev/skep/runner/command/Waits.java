package dev.skep.runner.command;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The word that {@code mail wait} and {@code session wait} share. */
final class Waits {
    private Waits() {}

    static Answer answer(BuiltIn command, List<String> words, boolean forMail) {
        String what = forMail ? "mail" : "mail or a person";
        if (words.isEmpty()) {
            return new Answer("Waiting for %s.".formatted(what), new Effect.Wait(null, forMail));
        }
        Long seconds = seconds(words.getFirst());
        return seconds == null || words.size() > 1
                ? BuiltIns.misused(command, "wait takes a number of seconds")
                : new Answer(
                        "Waiting for %s, at most %d s.".formatted(what, seconds),
                        new Effect.Wait(Duration.ofSeconds(seconds), forMail));
    }

    static @Nullable Long seconds(String text) {
        return text.matches("\\d{1,7}") ? Long.valueOf(text) : null;
    }
}
