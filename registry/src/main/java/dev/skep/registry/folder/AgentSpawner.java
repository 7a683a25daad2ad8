package dev.skep.registry.folder;

import dev.skep.kernel.process.ProcessSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts agents in folders under home: each in a process group of its own, with its output in a
 * file, and reaped so that none stays a zombie. They outlive the registry, so that restarting it
 * does not end them. Thread-safe.
 */
public final class AgentSpawner {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSpawner.class);
    private static final int LONGEST_NAME = 255;

    private final HomeFolder home;
    private final Settings settings;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final AtomicLong spawned = new AtomicLong();

    /**
     * How agents are started.
     *
     * @param allowed nothing is started unless the operator allowed it
     * @param command the program and its arguments
     * @param logs a folder for their output
     * @param most how many may run at once
     */
    public record Settings(boolean allowed, List<String> command, Path logs, int most) {
        public Settings {
            command = List.copyOf(command);
        }
    }

    /** What came of it. */
    public sealed interface Spawned {
        record Started(Path folder) implements Spawned {}

        record Refused(String error) implements Spawned {}
    }

    public AgentSpawner(HomeFolder home, Settings settings) {
        this.home = home;
        this.settings = settings;
    }

    /** Whether agents may be started here at all. */
    public boolean isAllowed() {
        return settings.allowed();
    }

    /** Starts an agent in a folder, or in a new folder in it. Nothing is made before all checks. */
    public synchronized Spawned spawn(String path, Optional<String> newFolder) {
        if (!settings.allowed()) {
            return new Spawned.Refused(
                    "Failed to spawn: not allowed; start the registry with --allow-spawn");
        }
        if (running.size() >= settings.most()) {
            return new Spawned.Refused(
                    "Failed to spawn: %d agents are running, which is the limit"
                            .formatted(settings.most()));
        }
        return switch (home.find(path)) {
            case FolderLookup.Missing() -> new Spawned.Refused("Path does not exist");
            case FolderLookup.Refused(String error) -> new Spawned.Refused(error);
            case FolderLookup.Inside(Path parent) -> spawnIn(parent, newFolder);
        };
    }

    private Spawned spawnIn(Path parent, Optional<String> newFolder) {
        if (!Files.isDirectory(parent)) {
            return new Spawned.Refused("Invalid path: not a directory");
        }
        if (newFolder.isEmpty()) {
            return run(parent);
        }
        if (!isPlainName(newFolder.get())) {
            return new Spawned.Refused("Invalid path: new_folder must be a single name");
        }
        try {
            Path made = Files.createDirectories(parent.resolve(newFolder.get()));
            // The name may have been a link that was there before.
            return switch (home.find(made.toString())) {
                case FolderLookup.Missing() -> new Spawned.Refused("Path does not exist");
                case FolderLookup.Refused(String error) -> new Spawned.Refused(error);
                case FolderLookup.Inside(Path inside) -> run(inside);
            };
        } catch (IOException e) {
            return new Spawned.Refused("Failed to create directory: " + HomeFolder.reason(e));
        }
    }

    private static boolean isPlainName(String name) {
        return !name.isBlank()
                && name.length() <= LONGEST_NAME
                && name.chars().noneMatch(c -> c == '/' || c == '\\' || c < ' ')
                && !name.equals(".")
                && !name.equals("..");
    }

    private Spawned run(Path folder) {
        Path log = settings.logs().resolve("agent-" + spawned.incrementAndGet() + ".log");
        List<String> command = new ArrayList<>(ProcessSession.words());
        command.addAll(settings.command());
        try {
            Files.createDirectories(settings.logs());
            Process process =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectInput(Path.of("/dev/null").toFile())
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            running.add(process);
            Thread.ofVirtual().name("agent-" + process.pid()).start(() -> awaitEnd(process));
            LOG.info("agent started pid={} folder={} log={}", process.pid(), folder, log);
            return new Spawned.Started(folder);
        } catch (IOException e) {
            return new Spawned.Refused("Failed to spawn: " + HomeFolder.reason(e));
        }
    }

    private void awaitEnd(Process process) {
        try {
            int status = process.waitFor();
            LOG.info("agent ended pid={} status={}", process.pid(), status);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            running.remove(process);
        }
    }

    /** How many agents run that were started here. */
    public int count() {
        return running.size();
    }
}
