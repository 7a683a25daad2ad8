package dev.skep.benchmark.runner;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The runner's figures; nothing to compare them with runs agents in one process with a store. */
public final class RunnerBenchmark implements Benchmark {
    private static final int AGENTS = 200;

    @Override
    public String name() {
        return "runner";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        report.progress("one agent, %d turns without a pause".formatted(quick ? 200 : 2000));
        try (var scratch = new Scratch()) {
            report.add(
                    Figure.alone(
                            "runner.turn_overhead_ms",
                            TurnOverhead.medianMillis(scratch.folder(), quick ? 200 : 2000),
                            "ms",
                            Goal.atMost(5)));
        }
        int seconds = quick ? 15 : 60;
        report.progress("%d agents, a turn a second each, for %d s".formatted(AGENTS, seconds));
        Map<String, Double> figures;
        try (var scratch = new Scratch()) {
            figures = manyAgents(scratch.folder(), seconds);
        }
        add(report, figures, "turns_per_s", "turns/s", Goal.atLeast(AGENTS * 0.9));
        add(report, figures, "cores", "cores", Goal.atMost(1));
        add(report, figures, "shell_cores", "cores", Goal.none());
        add(report, figures, "mb", "MB", Goal.atMost(400));
        add(report, figures, "lost", "lines", Goal.exactly(0));
    }

    private static void add(
            BenchmarkReport report,
            Map<String, Double> figures,
            String name,
            String unit,
            Goal goal) {
        double value = figures.getOrDefault(name, Double.NaN);
        report.add(Figure.alone("runner.agents200." + name, value, unit, goal));
    }

    private static Map<String, Double> manyAgents(Path folder, int seconds)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:+UseCompactObjectHeaders",
                                "-Xmx192m",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ManyAgents.class.getName(),
                                folder.toString(),
                                Integer.toString(AGENTS),
                                Integer.toString(seconds))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Map<String, Double> figures = new HashMap<>();
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] parts = line.split(" ", 2);
                figures.put(parts[0], Double.valueOf(parts[1]));
            }
        }
        if (process.waitFor() != 0) {
            throw new IOException("the loaded runner failed");
        }
        return figures;
    }
}
