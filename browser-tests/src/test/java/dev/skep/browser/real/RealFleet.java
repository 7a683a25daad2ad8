package dev.skep.browser.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A hub and two runners with scripted agents, each in a process of its own. */
final class RealFleet implements AutoCloseable {
    static final String NODE_TOKEN = "the-token-of-nodes";
    private static final String KEY = "the-key-of-this-fleet";

    final SkepProcess hub;
    final SkepProcess left;
    final SkepProcess right;
    private final Path folder;

    RealFleet(Path folder, SkepProcess hub) {
        this.folder = folder;
        this.hub = hub;
        agents(folder.resolve("left"), "ada", "carol", "dora", "tick");
        agents(folder.resolve("right"), "ben", "dan", "dora");
        left = runner("left");
        right = runner("right");
    }

    /** What the runners join; it starts while others do other things. */
    static SkepProcess hub(Path folder) {
        return new SkepProcess(
                Map.of("HUB_ACCESS_KEY", KEY),
                "hub",
                "--supervisor",
                "--private-webhooks",
                "--hostname",
                "hub",
                "--data-dir",
                folder.resolve("hub").toString(),
                "--listen",
                "127.0.0.1:0",
                "--registry-port",
                "none");
    }

    private SkepProcess runner(String name) {
        return new SkepProcess(
                Map.of("HUB_ACCESS_KEY", KEY, "HUB_URLS", hub.url(), "HYPI_TOKEN", NODE_TOKEN),
                "run",
                "--supervisor",
                "--hostname",
                name,
                "--data-dir",
                folder.resolve(name).toString(),
                "--listen",
                "127.0.0.1:0",
                "--registry-port",
                "none");
    }

    /** A supervisor alone, on the database of the hub or of the left runner. */
    SkepProcess supervisorOf(String monitored) {
        String database = monitored.equals("hub") ? "hub/hub.db" : "left/runner.db";
        return new SkepProcess(
                Map.of(),
                "supervisor",
                "--monitor",
                monitored,
                "--database",
                "file:" + folder.resolve(database),
                "--data-dir",
                folder.resolve("looking-at-" + monitored).toString(),
                "--listen",
                "127.0.0.1:0");
    }

    private static void agents(Path dataDir, String... names) {
        try {
            Path folder = Files.createDirectories(dataDir.resolve("agents"));
            Files.writeString(dataDir.resolve("allowed-commands"), "*\n");
            for (String name : names) {
                for (String file : new String[] {name + ".yaml", name + ".script.yaml"}) {
                    try (var in = RealFleet.class.getResourceAsStream("/agents/" + file)) {
                        Files.copy(Objects.requireNonNull(in), folder.resolve(file));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Stream.of(right, left, hub).forEach(SkepProcess::close);
    }
}
