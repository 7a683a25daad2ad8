package dev.skep.benchmark.runner;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
            figures =
                    child(
                            ManyAgents.class,
                            scratch.folder().toString(),
                            Integer.toString(AGENTS),
                            Integer.toString(seconds));
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

    /** The figures of a process of its own, with a runner's memory settings. */
    static Map<String, Double> child(Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-Xmx192m",
                        "--enable-native-access=ALL-UNNAMED"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        words.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
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
