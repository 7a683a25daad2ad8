package dev.skep.app.demo;

import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Kills processes of the demo at random and reports the result. */
final class Soak {
    private static final Duration CONVERGENCE = Duration.ofMinutes(3);
    // A process that has just started is no measure.
    private static final Duration GROWN = Duration.ofSeconds(30);

    private final List<DemoProcess> processes;
    private final DemoWork work;
    private final RandomGenerator random;
    private final Consumer<String> output;
    private final Map<String, Integer> kills = new TreeMap<>();
    private final Map<String, List<Double>> megabytes = new TreeMap<>();

    Soak(
            List<DemoProcess> processes,
            DemoWork work,
            RandomGenerator random,
            Consumer<String> output) {
        this.processes = List.copyOf(processes);
        this.work = work;
        this.random = random;
        this.output = output;
    }

    void run(Duration length) throws InterruptedException {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            Thread.sleep(Duration.ofMillis(random.nextInt(5_000, 20_000)));
            measure();
            DemoProcess victim = processes.get(random.nextInt(processes.size()));
            victim.kill();
            kills.merge(victim.name(), 1, Integer::sum);
            Thread.sleep(Duration.ofMillis(random.nextInt(500, 4_000)));
            victim.start();
        }
        output.accept("no more kills; waiting until everything is everywhere");
        output.accept(converged());
        reportMemory();
        reportLogs();
        work.summary().ifPresent(output);
    }

    private void measure() {
        for (DemoProcess each : processes) {
            if (each.age().compareTo(GROWN) > 0) {
                residentMegabytes(each.pid())
                        .forEach(
                                size ->
                                        megabytes
                                                .computeIfAbsent(
                                                        each.name(), _ -> new ArrayList<>())
                                                .add(size));
            }
        }
    }

    private String converged() throws InterruptedException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < CONVERGENCE.toNanos()) {
            List<JsonFields> peers = work.peers();
            boolean level =
                    peers.size() == processes.size() - 1
                            && peers.stream().allMatch(peer -> peer.shown("lag").equals("0"));
            if (level && work.allOver() && work.allNodesActive()) {
                return "converged after %d s: no host lags, no job waits, every node is there"
                        .formatted((System.nanoTime() - begin) / 1_000_000_000);
            }
            Thread.sleep(Duration.ofSeconds(1));
        }
        return "NOT CONVERGED within %d s: %s"
                .formatted(
                        CONVERGENCE.toSeconds(),
                        work.peers().stream()
                                .map(peer -> peer.shown("name") + " lags " + peer.shown("lag"))
                                .collect(Collectors.joining(", ")));
    }

    private void reportMemory() {
        megabytes.forEach(
                (name, sizes) -> {
                    int half = sizes.size() / 2;
                    output.accept(
                            String.format(
                                    Locale.ROOT,
                                    "%-6s killed %2d times; resident %.0f MB in the first half, %.0f MB in the second, %.0f MB at most",
                                    name,
                                    kills.getOrDefault(name, 0),
                                    mean(sizes.subList(0, half)),
                                    mean(sizes.subList(half, sizes.size())),
                                    sizes.stream().mapToDouble(d -> d).max().orElse(Double.NaN)));
                });
    }

    private static double mean(List<Double> sizes) {
        return sizes.stream().mapToDouble(d -> d).average().orElse(Double.NaN);
    }

    /** Each kind of complaint once, with how often it was made. */
    private void reportLogs() {
        Map<String, Long> complaints = new TreeMap<>();
        for (DemoProcess each : processes) {
            try (Stream<String> lines = Files.lines(each.log())) {
                lines.filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
                        .map(line -> line.replaceFirst("^\\S+ ", "").replaceAll("\\S*\\d\\S*", "#"))
                        .forEach(line -> complaints.merge(line, 1L, Long::sum));
            } catch (IOException e) {
                output.accept("cannot read " + each.log());
            }
        }
        complaints.forEach((line, times) -> output.accept("%4d × %s".formatted(times, line)));
    }

    private static Stream<Double> residentMegabytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1024);
        } catch (IOException gone) {
            return Stream.empty();
        }
    }
}
