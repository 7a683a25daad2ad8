package dev.skep.app.demo;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One process of the demo with a data dir of its own; what it prints is kept beside that. */
final class DemoProcess {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String name;
    private final Path dataDir;
    private final List<String> command;
    private final Map<String, String> environment;
    private final List<String> lines = new ArrayList<>();
    private @Nullable Process process;
    private long startedAt;

    DemoProcess(String name, Path dataDir, List<String> command, Map<String, String> environment) {
        this.name = name;
        this.dataDir = dataDir;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
    }

    String name() {
        return name;
    }

    Path dataDir() {
        return dataDir;
    }

    Path log() {
        return dataDir.resolveSibling(name + ".log");
    }

    /** Starts it, again after it was killed; does not wait until it is up. */
    synchronized void start() {
        lines.clear();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(dataDir.resolveSibling("").toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            Process started = builder.start();
            started.getOutputStream().close();
            process = started;
            startedAt = System.nanoTime();
            Thread.ofVirtual().name("demo-" + name).start(() -> keep(started));
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.INTERNAL, "cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    private void keep(Process started) {
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8);
                BufferedWriter log =
                        Files.newBufferedWriter(
                                log(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.write(line);
                log.newLine();
                log.flush();
                onLine(started, line);
            }
        } catch (IOException cut) {
            // It was killed in the middle of a word.
        }
        ended();
    }

    /** Wakes all threads that wait for its output. */
    private synchronized void ended() {
        notifyAll();
    }

    private synchronized void onLine(Process from, String line) {
        if (from == process) {
            // Only what it prints at its start is needed.
            if (lines.size() < 50) {
                lines.add(line);
            }
            notifyAll();
        }
    }

    /** What follows these words in a line of its start. */
    synchronized String awaitLine(String words) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            for (String line : lines) {
                int at = line.indexOf(words);
                if (at >= 0) {
                    return line.substring(at + words.length()).strip();
                }
            }
            long left = end - System.nanoTime();
            if (left <= 0 || process == null || !process.isAlive()) {
                throw new SkepException(
                        ErrorCode.INTERNAL,
                        "%s did not come up; its last word: %s"
                                .formatted(name, lines.isEmpty() ? "none" : lines.getLast()));
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, 1_000_000_000L));
        }
    }

    synchronized long pid() {
        return process == null ? -1 : process.pid();
    }

    /** How long it has been there, dead or alive. */
    synchronized Duration age() {
        return Duration.ofNanos(System.nanoTime() - startedAt);
    }

    /** Kills it without warning, as a power cut would. */
    synchronized void kill() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** Asks it to end. */
    synchronized void stop() {
        if (process != null) {
            process.destroy();
        }
    }

    /** Waits for its end, and brings it about when that takes too long. */
    void awaitEnd(Duration patience) throws InterruptedException {
        Process last;
        synchronized (this) {
            last = process;
        }
        if (last != null && !last.waitFor(patience)) {
            last.destroyForcibly();
        }
    }
}
