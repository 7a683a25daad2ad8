package dev.skep.benchmark.start;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts of the launcher as a person makes them, with its caches there and from nothing. */
public final class StartBenchmark implements Benchmark {
    private static final Map<String, List<String>> COMPOSITIONS = new LinkedHashMap<>();

    static {
        COMPOSITIONS.put("run", List.of("run", "--quiet"));
        COMPOSITIONS.put("run_supervisor", List.of("run", "--quiet", "--supervisor"));
        COMPOSITIONS.put("run_hub", List.of("run", "--quiet", "--hub"));
        COMPOSITIONS.put("up", List.of("up", "--quiet"));
        COMPOSITIONS.put("hub", List.of("hub"));
        COMPOSITIONS.put("hub_supervisor", List.of("hub", "--supervisor"));
        COMPOSITIONS.put("supervisor", List.of("supervisor"));
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        report.progress("making the caches");
        LauncherProcess.train();
        try (Scratch scratch = new Scratch()) {
            version(report, quick ? 5 : 15);
            hub(report, scratch.folder().resolve("hub-starts"), quick ? 3 : 9);
            up(report, scratch.folder().resolve("up-starts"), quick ? 3 : 7);
            for (Map.Entry<String, List<String>> each : COMPOSITIONS.entrySet()) {
                memory(report, each.getKey(), each.getValue(), scratch.folder());
            }
            if (!quick) {
                FreshClone.measure(report, scratch.folder());
            }
        }
    }

    private void version(BenchmarkReport report, int times) throws Exception {
        List<Double> taken = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            new ProcessBuilder(LauncherProcess.LAUNCHER, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            taken.add((System.nanoTime() - begin) / 1e6);
        }
        report.add(Figure.alone("start.version_ms", median(taken), "ms", Figure.Goal.atMost(300)));
    }

    private void hub(BenchmarkReport report, Path dataDir, int times) throws Exception {
        report.add(
                Figure.alone(
                        "start.hub_listening_ms",
                        medianStart(List.of("hub"), dataDir, times),
                        "ms",
                        Figure.Goal.atMost(400)));
    }

    /** The first start of all, which makes databases and agents, is not counted. */
    private void up(BenchmarkReport report, Path dataDir, int times) throws Exception {
        report.add(
                Figure.alone(
                        "start.up_again_ms",
                        medianStart(List.of("up", "--quiet"), dataDir, times),
                        "ms",
                        Figure.Goal.atMost(2_000)));
    }

    private double medianStart(List<String> command, Path dataDir, int times) throws Exception {
        List<Double> taken = new ArrayList<>();
        for (int i = 0; i <= times; i++) {
            try (LauncherProcess launcherProcess = LauncherProcess.service(command, dataDir)) {
                if (i > 0) {
                    taken.add(launcherProcess.millisUntil(" is up "));
                } else {
                    launcherProcess.millisUntil(" is up ");
                }
            }
        }
        return median(taken);
    }

    private void memory(BenchmarkReport report, String name, List<String> command, Path folder)
            throws Exception {
        Path dataDir = folder.resolve(command.getFirst().equals("supervisor") ? "hub" : name);
        try (LauncherProcess launcherProcess = LauncherProcess.service(command, dataDir)) {
            launcherProcess.millisUntil(" is up ");
            launcherProcess.settle();
            report.add(
                    Figure.alone(
                            "start.resident_mb." + name,
                            residentMegabytes(launcherProcess.pid()),
                            "MB",
                            Figure.Goal.none()));
        }
    }

    private static double residentMegabytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .map(line -> line.replaceAll("\\D", ""))
                        .mapToDouble(Double::parseDouble)
                        .findFirst()
                        .orElse(Double.NaN)
                / 1024;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
