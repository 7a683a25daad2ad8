package dev.skep.fleet.nemesis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skep.app.Main;
import dev.skep.cli.admin.AdminFile;
import dev.skep.kernel.error.SkepException;
import dev.skep.testkit.FakeClock;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.JavaCommand;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A hub or a runner as a process, with its data dir, its clock and perhaps its own disk. */
final class NemesisProcess implements AutoCloseable {
    private static final String ACCESS_KEY = "of-this-fleet";

    final String name;
    final boolean isHub;
    final Path dataDir;
    final int port = FreePort.any();
    final int registryPort = FreePort.any();
    final Optional<FakeClock> clock;
    final Optional<ProcessDisk> disk;
    private final Path folder;
    private final List<String> hubs;
    private final List<String> endings = new ArrayList<>();
    private @Nullable Process process;
    private long saidBefore;
    private boolean mayEnd;
    private boolean closed;

    NemesisProcess(
            Path folder,
            String name,
            boolean isHub,
            List<String> hubs,
            Optional<FakeClock> clock,
            Optional<ProcessDisk> disk) {
        this.folder = folder;
        this.name = name;
        this.isHub = isHub;
        this.hubs = List.copyOf(hubs);
        this.clock = clock;
        this.disk = disk;
        this.dataDir = folder.resolve(name).resolve("skep");
    }

    Path database() {
        return dataDir.resolve(isHub ? "hub.db" : "runner.db");
    }

    /** Starts it; does not wait until it is up. */
    synchronized void start() {
        if (closed) {
            return;
        }
        ProcessBuilder builder = new ProcessBuilder(command());
        builder.directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment());
        clock.ifPresent(each -> each.governs(builder));
        builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        saidBefore = log().toFile().length();
        try {
            Process started = builder.start();
            process = started;
            mayEnd = false;
            var _ = started.onExit().thenAccept(this::ended);
        } catch (IOException e) {
            throw new IllegalStateException("cannot start " + name, e);
        }
    }

    private List<String> command() {
        List<String> words = new ArrayList<>(JavaCommand.of(Main.class));
        // Temporary files go with the run's folder; figures of the JVM would lie elsewhere.
        words.addAll(1, List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + folder.resolve("tmp")));
        words.addAll(isHub ? List.of("hub", "--supervisor") : List.of("run", "--quiet"));
        words.addAll(List.of("--data-dir", dataDir.toString()));
        words.addAll(List.of("--listen", "127.0.0.1:" + port));
        words.addAll(List.of("--registry-port", isHub ? "none" : "" + registryPort));
        return words;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("HUB_ACCESS_KEY", ACCESS_KEY);
        environment.put("SKEP_HOSTNAME", name);
        // Each jump beyond all before it counts as seven days when the process starts again.
        environment.put("SKEP_RETAIN", "3650d");
        if (!hubs.isEmpty()) {
            environment.put("HUB_URLS", String.join(",", hubs));
            environment.put("SKEP_ALLOW", "steer,agents,jobs");
        }
        return environment;
    }

    private synchronized void ended(Process which) {
        if (which == process && !mayEnd) {
            endings.add("%s ended by itself with %d".formatted(name, which.exitValue()));
        }
    }

    /** Ends of the process that the nemesis did not cause. */
    synchronized List<String> unexpectedEndings() {
        return List.copyOf(endings);
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether it may end by itself from now on, as one that cannot start should. */
    synchronized void mayEnd(boolean may) {
        mayEnd = may;
    }

    /** Says whether it is alive or should be; from now on it must not end by itself. */
    synchronized boolean mustStay() {
        boolean should = !mayEnd || isAlive();
        mayEnd = false;
        return should;
    }

    /**
     * Whether its start is complete, by its own word. A port that is open is not enough: the start
     * may still fail on the file that it writes last.
     */
    synchronized boolean isUp() {
        try (FileInputStream said = new FileInputStream(log().toFile())) {
            said.skipNBytes(saidBefore);
            return new String(said.readAllBytes(), UTF_8).contains(" is up after ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return folder.resolve(name + ".log");
    }

    void kill() {
        Process last;
        synchronized (this) {
            mayEnd = true;
            last = process;
        }
        if (last != null) {
            last.destroyForcibly().onExit().join();
        }
    }

    /** Asks it to end, and waits; returns whether it did. */
    boolean stop() throws InterruptedException {
        Process last;
        synchronized (this) {
            mayEnd = true;
            last = process;
        }
        if (last == null) {
            return true;
        }
        last.destroy();
        if (last.waitFor(30, TimeUnit.SECONDS)) {
            return true;
        }
        last.destroyForcibly().waitFor();
        return false;
    }

    void freeze() throws IOException {
        signal("STOP");
    }

    void thaw() throws IOException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException {
        Process last;
        synchronized (this) {
            last = process;
        }
        if (last != null) {
            new ProcessBuilder("kill", "-" + signal, Long.toString(last.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .onExit()
                    .join();
        }
    }

    /** The way in; the process that left it may have died since. */
    Optional<AdminFile.Address> adminAddress() {
        try {
            return AdminFile.read(dataDir);
        } catch (SkepException unreadable) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (this) {
            closed = true;
        }
        kill();
        if (disk.isPresent()) {
            disk.get().close();
        }
    }
}
