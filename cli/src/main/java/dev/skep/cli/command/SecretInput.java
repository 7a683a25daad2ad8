package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.util.Optional;

/**
 * Secrets that a command is given: from an environment variable, typed at the terminal without
 * showing, or a line of standard input. Never a word of the command line, which other users see.
 */
final class SecretInput {
    private final CommandContext context;
    private Optional<BufferedReader> lines = Optional.empty();

    SecretInput(CommandContext context) {
        this.context = context;
    }

    @SuppressWarnings("SystemConsoleNull") // NullAway knows it as nullable
    String read(String variable, String prompt) {
        String given = context.environment().getOrDefault(variable, "");
        if (!given.isBlank()) {
            return given.strip();
        }
        Console console = System.console();
        Optional<String> typed =
                console != null && console.isTerminal()
                        ? Optional.ofNullable(console.readPassword("%s: ", prompt)).map(String::new)
                        : Optional.ofNullable(line());
        return typed.map(String::strip)
                .filter(text -> !text.isEmpty())
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "%s is missing; type it, write it to standard input, or set %s"
                                                .formatted(prompt, variable)));
    }

    private @org.jspecify.annotations.Nullable String line() {
        if (lines.isEmpty()) {
            lines =
                    Optional.of(
                            new BufferedReader(
                                    new InputStreamReader(System.in, Charset.defaultCharset())));
        }
        try {
            return lines.get().readLine();
        } catch (IOException e) {
            return null;
        }
    }
}
