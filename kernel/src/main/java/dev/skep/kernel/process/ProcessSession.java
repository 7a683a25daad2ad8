package dev.skep.kernel.process;

import java.io.IOException;
import java.util.List;

/**
 * A session of its own for a program: signals to it reach all that it started and nothing else.
 *
 * <p>A process started in the background of a script, or by {@code nohup}, ignores signals, and so
 * would everything it starts: an agent's command could not be interrupted. Only a program in
 * between can undo that, and not every system has one.
 */
public final class ProcessSession {
    private ProcessSession() {}

    /** The words to put before a command. */
    public static List<String> words() {
        return Found.WORDS;
    }

    /** Tried once, when the first program is started. */
    private static final class Found {
        static final List<String> WORDS =
                succeeds("env", "--default-signal", "true")
                        ? List.of("env", "--default-signal", "setsid")
                        : List.of("setsid");

        private static boolean succeeds(String... command) {
            try {
                Process trial =
                        new ProcessBuilder(command)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
                return trial.onExit().join().exitValue() == 0;
            } catch (IOException missing) {
                return false;
            }
        }
    }
}
