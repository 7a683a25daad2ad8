package dev.skep.benchmark.runner;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.benchmark.runner.GatewayCost.Both;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * What managed agents cost beside their programs without us: the protocol's bare client, and a
 * model that is asked directly.
 */
public final class AgentsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "agents";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        int turns = quick ? 10 : 100;
        report.progress("%d turns of a managed agent and of a bare client".formatted(turns));
        try (var scratch = new Scratch()) {
            ManagedTurns.Times times = ManagedTurns.measure(scratch.folder(), turns);
            report.add(
                    noted(
                            "agents.turn_ratio",
                            times.managed() / times.bare(),
                            "",
                            Goal.atMost(1.1),
                            String.format(
                                    Locale.ROOT,
                                    "a turn took %.1f ms, a bare client's %.1f ms",
                                    times.managed(),
                                    times.bare())));
        }
        gateway(report, quick);
        report.progress(FiftyAgents.AGENTS + " managed agents on one runner");
        Map<String, Double> figures;
        try (var scratch = new Scratch()) {
            figures = RunnerBenchmark.child(FiftyAgents.class, scratch.folder().toString());
        }
        add(report, figures, "ms", "ms");
        add(report, figures, "resident_mb", "MB");
    }

    private static void gateway(BenchmarkReport report, boolean quick) throws Exception {
        report.progress("calls of a model through the gateway and directly");
        try (var scratch = new Scratch();
                var gateway = new GatewayCost(scratch.folder())) {
            Both first = gateway.firstByte(quick ? 300 : 3_000);
            report.add(
                    noted(
                            "agents.gateway_first_byte_ms",
                            first.through() - first.direct(),
                            "ms",
                            Goal.atMost(2),
                            String.format(
                                    Locale.ROOT,
                                    "p50 %.2f ms through it, %.2f ms directly",
                                    first.through(),
                                    first.direct())));
            stream(
                    report,
                    "agents.gateway_stream_ratio",
                    gateway.stream(quick ? 9 : 90, 20_000, Duration.ZERO));
            stream(
                    report,
                    "agents.gateway_stream_ratio_paced",
                    gateway.stream(quick ? 5 : 50, 100, Duration.ofMillis(5)));
        }
    }

    private static void stream(BenchmarkReport report, String name, Both rates) {
        report.add(
                Figure.beside(
                        name,
                        rates.through(),
                        "MB/s",
                        "the model asked directly, MB/s:",
                        rates.direct(),
                        Goal.ratioAtLeast(0.9)));
    }

    private static Figure noted(String name, double value, String unit, Goal goal, String note) {
        return new Figure(name, value, unit, null, null, goal, note);
    }

    private static void add(
            BenchmarkReport report, Map<String, Double> figures, String name, String unit) {
        double value = figures.getOrDefault(name, Double.NaN);
        report.add(Figure.alone("agents.fifty_" + name, value, unit, Goal.none()));
    }
}
