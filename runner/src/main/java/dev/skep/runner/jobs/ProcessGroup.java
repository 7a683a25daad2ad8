package dev.skep.runner.jobs;

import dev.skep.kernel.process.OwnSession;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A command in a session of its own, so that everything it starts can be ended with it. */
final class ProcessGroup {
    /** What is passed on of this process's own environment; nothing else is. */
    private static final Set<String> PASSED_ON =
            Set.of("PATH", "HOME", "LANG", "LC_ALL", "TERM", "USER", "TZ");

    private ProcessGroup() {}

    /** How to start a command line; where its output goes is left to the caller. */
    static ProcessBuilder builder(String command, Path folder, Map<String, String> environment) {
        List<String> words = new ArrayList<>(OwnSession.words());
        words.addAll(List.of("bash", "-c", command));
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        builder.environment().keySet().retainAll(PASSED_ON);
        builder.environment().putAll(environment);
        return builder;
    }

    /** TERM to all of it, and KILL to what is left after the grace. */
    static void end(ProcessHandle leader, Duration grace) {
        signal("TERM", leader.pid());
        try {
            leader.onExit().get(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillThere) {
            // killed below, with whatever else is left of the group
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        signal("KILL", leader.pid());
    }

    private static void signal(String name, long group) {
        List<String> command = new ArrayList<>(List.of("bash", "-c"));
        command.add("kill -%s -- -%d".formatted(name, group));
        try {
            Process kill =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            kill.onExit().join();
        } catch (IOException e) {
            ProcessHandle.of(group).ifPresent(ProcessHandle::destroyForcibly);
        }
    }
}
