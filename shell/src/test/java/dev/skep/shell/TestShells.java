package dev.skep.shell;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Shells for tests: the strongest isolation of this machine, and none. */
enum TestShells {
    ISOLATED,
    TRUSTED;

    static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMillis(20);
    static final Duration SHORT = Duration.ofMillis(400);

    BashShells shells(Map<String, String> runnerEnvironment) {
        var random = new SecureRandom();
        BashShells shells =
                this == ISOLATED
                        ? BashShells.isolated(runnerEnvironment, random)
                        : BashShells.trusted(runnerEnvironment, random);
        return shells.graceOf(Duration.ofMillis(300));
    }

    Shell open(Path folder) {
        return shells(System.getenv()).open(settings(folder));
    }

    static ShellSettings settings(Path folder) {
        return new ShellSettings("alice", folder.resolve("alice"), Map.of(), List.of(), 4000);
    }

    /** Starts a command and returns when it has printed its first line. */
    static void begin(Shell shell, String command) throws InterruptedException {
        ShellOutcome outcome = shell.run(command, SOON);
        while (outcome.output().text().isEmpty()) {
            if (!(outcome instanceof ShellOutcome.StillRunning)) {
                throw new AssertionError("ended: " + outcome);
            }
            outcome = shell.await(SOON);
        }
    }

    static String finished(ShellOutcome outcome) {
        if (outcome instanceof ShellOutcome.Finished finished) {
            return finished.output().text();
        }
        throw new AssertionError("not finished: " + outcome);
    }

    static int status(ShellOutcome outcome) {
        if (outcome instanceof ShellOutcome.Finished finished) {
            return finished.status();
        }
        throw new AssertionError("not finished: " + outcome);
    }
}
