package dev.skep.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * Processes known by a variable in their environment, which is there from their first instruction
 * on and which a reused pid does not carry. Read from {@code /proc}: elsewhere none is found.
 */
public final class MarkedProcesses {
    /** A process that forks may escape one pass. */
    private static final int ROUNDS = 5;

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private MarkedProcesses() {}

    /**
     * Those with such a variable.
     *
     * @param variable of a text like {@code NAME=VALUE}
     */
    public static List<ProcessHandle> with(Predicate<String> variable) {
        return ProcessHandle.allProcesses()
                .filter(process -> variables(process.pid()).stream().anyMatch(variable))
                .toList();
    }

    /** Whether a process has this one's user and sees the same processes: it is behind no wall. */
    public static boolean isUnconfined(ProcessHandle process) {
        Path other = Path.of("/proc/" + process.pid());
        Path own = Path.of("/proc/self");
        try {
            return Files.getAttribute(own, "unix:uid").equals(Files.getAttribute(other, "unix:uid"))
                    && Files.readSymbolicLink(own.resolve("ns/pid"))
                            .equals(Files.readSymbolicLink(other.resolve("ns/pid")));
        } catch (IOException goneOrForeign) {
            return false;
        }
    }

    /** Kills those with such a variable, waits for their end, and answers how many there were. */
    static int kill(Predicate<String> variable) {
        int killed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessHandle> found = with(variable);
            if (found.isEmpty()) {
                break;
            }
            found.forEach(ProcessHandle::destroyForcibly);
            awaitEnd(found);
            killed += found.size();
        }
        return killed;
    }

    private static void awaitEnd(List<ProcessHandle> processes) {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(ends).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException inTheKernel) {
            // It ends when the kernel is done with it.
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> variables(long pid) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
            return Arrays.asList(new String(bytes, StandardCharsets.UTF_8).split("\0", -1));
        } catch (IOException goneOrForeign) {
            return List.of();
        }
    }
}
