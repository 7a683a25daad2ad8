package dev.skep.runner.terminal;

import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Optional;

/**
 * Where a runner shows what its agents do.
 *
 * @param typed the input, or empty for a service
 * @param atKeyboard whether it is a person who types it
 */
public record Terminal(TerminalOutput stream, Optional<BufferedReader> typed, boolean atKeyboard) {
    /** Prints nothing and reads nothing. */
    public static Terminal none() {
        return new Terminal(
                new TerminalOutput(new PrintWriter(Writer.nullWriter()), false, true),
                Optional.empty(),
                false);
    }
}
