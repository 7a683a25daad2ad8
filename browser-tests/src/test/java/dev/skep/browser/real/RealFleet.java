package dev.skep.browser.real;

import com.microsoft.playwright.BrowserContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A hub and three runners with scripted agents, each in a process of its own. Two stay; the third
 * is there to be lost.
 */
final class RealFleet implements AutoCloseable {
    static final String NODE_TOKEN = "the-token-of-nodes";
    private static final String KEY = "the-key-of-this-fleet";

    final SkepProcess hub;
    private final Path folder = folder();
    private final List<SkepProcess> runners = new ArrayList<>();
    private Optional<String> visitor = Optional.empty();

    /** Starts the hub; the runners join it when they are first asked for. */
    RealFleet() {
        hub =
                new SkepProcess(
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

    /** The cookies of whoever signed in at the hub first: its link works once. */
    String visitor(Supplier<BrowserContext> signingIn) {
        if (visitor.isEmpty()) {
            runners();
            visitor = Optional.of(signingIn.get().storageState());
        }
        return visitor.get();
    }

    SkepProcess left() {
        return runners().get(0);
    }

    SkepProcess right() {
        return runners().get(1);
    }

    SkepProcess spare() {
        return runners().get(2);
    }

    private List<SkepProcess> runners() {
        if (runners.isEmpty()) {
            runners.add(runner("left", "ada", "carol", "dora", "tick"));
            runners.add(runner("right", "ben", "dan", "dora"));
            runners.add(runner("spare", "finn", "gwen"));
        }
        return runners;
    }

    private SkepProcess runner(String name, String... agents) {
        agents(folder.resolve(name), agents);
        return new SkepProcess(
                Map.of(
                        "HUB_ACCESS_KEY",
                        KEY,
                        "HUB_URLS",
                        hub.url(),
                        "SKEP_ALLOW",
                        "steer,agents,jobs",
                        "HYPI_TOKEN",
                        NODE_TOKEN),
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

    /** The file of an agent on a runner's disk. */
    Path file(String host, String agent) {
        return folder.resolve(host).resolve("agents").resolve(agent + ".yaml");
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

    private static Path folder() {
        try {
            return Files.createTempDirectory("skep-fleet-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
    public void close() throws IOException {
        runners.forEach(SkepProcess::close);
        hub.close();
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
