package dev.skep.benchmark.registry;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.benchmark.start.LauncherProcess;
import dev.skep.testkit.RawWebSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Starting with many nodes, notifying many dashboards, and the proxy beside a direct socket. */
public final class RegistryBenchmark implements Benchmark {
    private static final int NODES = 10_000;

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        try (Scratch scratch = new Scratch()) {
            starting(report, scratch.folder(), quick ? 3 : 9);
            joining(report, scratch.folder(), quick ? 200 : 2_000, quick ? 20 : 50);
            proxying(report, scratch.folder(), quick ? 10_000 : 100_000);
        }
    }

    private static void starting(BenchmarkReport report, Path scratch, int rounds)
            throws Exception {
        report.progress("starting with %,d stored nodes, and with none".formatted(NODES));
        Path full = Files.createDirectories(scratch.resolve("full"));
        Path empty = Files.createDirectories(scratch.resolve("empty"));
        StoredNodes.write(full, NODES);
        StoredNodes.write(empty, 0);
        LauncherProcess.train();
        double[] with = new double[rounds];
        double[] without = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            with[i] = startMillis(full);
            without[i] = startMillis(empty);
        }
        double added = median(with) - median(without);
        report.add(
                new Figure(
                        "registry.start_added_ms",
                        added,
                        "ms",
                        "the same start with no nodes",
                        median(without),
                        Goal.atMost(100),
                        "launcher to listening, medians of %d".formatted(rounds)));
    }

    private static double startMillis(Path folder) throws Exception {
        try (LauncherProcess registry =
                new LauncherProcess(List.of("registry", "--port", "0"), folder)) {
            return registry.millisUntil("Hypivisor online");
        }
    }

    private static void joining(BenchmarkReport report, Path scratch, int agents, int dashboards)
            throws Exception {
        report.progress("%,d agents and %d dashboards connect".formatted(agents, dashboards));
        Path folder = Files.createDirectories(scratch.resolve("joining"));
        try (OtherProcess registry = OtherProcess.registry(folder);
                OtherProcess _ =
                        OtherProcess.start(
                                folder,
                                "agents are there",
                                Agents.class.getName(),
                                Integer.toString(registry.port()),
                                Integer.toString(agents));
                Dashboards watching = new Dashboards(registry.port())) {
            watching.add(dashboards);
            watching.join(20, dashboards);
            report.progress("joins");
            List<Long> nanos = watching.join(200, dashboards).stream().sorted().toList();
            report.add(
                    Figure.alone(
                            "registry.join.p50_ms",
                            nanos.get(nanos.size() / 2) / 1e6,
                            "ms",
                            Goal.none()));
            report.add(
                    Figure.alone(
                            "registry.join.p99_ms",
                            nanos.get(nanos.size() * 99 / 100) / 1e6,
                            "ms",
                            Goal.atMost(50)));
        }
    }

    private static void proxying(BenchmarkReport report, Path scratch, int messages)
            throws Exception {
        report.progress("%,d messages of 1 KB there and back".formatted(messages));
        Path folder = Files.createDirectories(scratch.resolve("proxying"));
        try (OtherProcess registry = OtherProcess.registry(folder);
                OtherProcess agent =
                        OtherProcess.start(folder, "agent on", EchoAgent.class.getName());
                RawWebSocket registered = RawWebSocket.connect(registry.port(), "/ws");
                HttpClient http = HttpClient.newHttpClient()) {
            registered.text(
                    """
                    {"method":"register","params":{"id":"echo","machine":"localhost","cwd":"/","port":%d,"status":"active"}}"""
                            .formatted(agent.port()));
            registered.message();
            registered.message();
            registered.message();
            URI direct = URI.create("ws://127.0.0.1:%d/".formatted(agent.port()));
            URI proxied = URI.create("ws://127.0.0.1:%d/ws/agent/echo".formatted(registry.port()));
            double[] through = new double[5];
            double[] straight = new double[5];
            // The first round warms both and does not count.
            for (int round = -1; round < 5; round++) {
                double a = EchoClient.rate(http, proxied, messages);
                double b = EchoClient.rate(http, direct, messages);
                if (round >= 0) {
                    through[round] = a;
                    straight[round] = b;
                }
            }
            report.add(
                    Figure.beside(
                            "registry.proxy.ratio",
                            median(through),
                            "msg/s",
                            "a direct socket to the same agent",
                            median(straight),
                            Goal.ratioAtLeast(0.6)));
        }
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
