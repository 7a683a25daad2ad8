package dev.skep.worker;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The process group of a server, whose leader is a session's. */
final class ProcessGroup {
    private ProcessGroup() {}

    /** Sends TERM to the whole group, and KILL to what remains after the grace. */
    static void end(ProcessHandle leader, Duration grace) {
        signal("TERM", leader);
        try {
            leader.onExit().get(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillThere) {
            // killed below, with whatever else is left of the group
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        signal("KILL", leader);
    }

    private static void signal(String name, ProcessHandle leader) {
        List<String> command =
                List.of("bash", "-c", "kill -%s -- -%d".formatted(name, leader.pid()));
        try {
            Process kill =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            kill.onExit().join();
        } catch (IOException e) {
            leader.destroyForcibly();
        }
    }
}
