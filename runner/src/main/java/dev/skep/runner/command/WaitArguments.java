package dev.skep.runner.command;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The word that {@code mail wait} and {@code session wait} share. */
final class WaitArguments {
    private WaitArguments() {}

    static CommandResult answer(BuiltInCommand command, List<String> words, boolean forMail) {
        String what = forMail ? "mail" : "mail or a person";
        if (words.isEmpty()) {
            return new CommandResult(
                    "Waiting for %s.".formatted(what), new LoopEffect.Wait(null, forMail));
        }
        Long seconds = seconds(words.getFirst());
        return seconds == null || words.size() > 1
                ? BuiltInCommands.usageError(command, "wait takes a number of seconds")
                : new CommandResult(
                        "Waiting for %s, at most %d s.".formatted(what, seconds),
                        new LoopEffect.Wait(Duration.ofSeconds(seconds), forMail));
    }

    static @Nullable Long seconds(String text) {
        return text.matches("\\d{1,7}") ? Long.valueOf(text) : null;
    }
}
