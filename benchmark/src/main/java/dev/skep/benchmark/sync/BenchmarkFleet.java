package dev.skep.benchmark.sync;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A hub and the hosts that link to it, as processes of one run. */
final class BenchmarkFleet implements AutoCloseable {
    private static final List<String> HUB_FLAGS = List.of("-XX:+UseG1GC", "-Xmx1g");
    private static final List<String> RUNNER_FLAGS = List.of("-XX:+UseSerialGC", "-Xmx512m");

    private final Path folder;
    private final Child hub;
    private final int port;
    private long lastCpuMillis;
    private final Map<String, Child> children = new LinkedHashMap<>();
    private final Set<String> linked = new HashSet<>();

    BenchmarkFleet(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.hub = new Child(HubChild.class, HUB_FLAGS, made(folder, "hub").toString());
        this.port = (int) hub.number("port");
    }

    private static Path made(Path folder, String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }

    Child hub() {
        return hub;
    }

    Child runner(String name) throws IOException {
        return runner(name, port);
    }

    int port() {
        return port;
    }

    /** One that reaches the hub at another port, where a line to it begins. */
    Child runner(String name, int at) throws IOException {
        Child known = children.get(name);
        if (known == null) {
            known =
                    new Child(
                            RunnerChild.class,
                            RUNNER_FLAGS,
                            made(folder, name).toString(),
                            name,
                            Integer.toString(at));
            children.put(name, known);
        }
        return known;
    }

    Child linked(String name) throws IOException {
        Child runner = runner(name);
        if (linked.add(name)) {
            runner.ask("caught_up");
        }
        return runner;
    }

    Child others() throws IOException {
        Child others =
                new Child(
                        LinksChild.class,
                        List.of("-XX:+UseSerialGC", "-Xmx1g"),
                        Integer.toString(port));
        children.put("others", others);
        return others;
    }

    /** Opens links until there are so many, and waits until all of them have caught up. */
    void openLinks(Child others, int links) throws IOException, InterruptedException {
        others.ask("open " + (links - others.number("opened")));
        while (others.number("live") < links) {
            Thread.sleep(20);
        }
    }

    /** Seconds from the first dial until the hub has everything. */
    double backlog(Child runner, int rows) throws IOException, InterruptedException {
        runner.ask("logs " + rows);
        long head = runner.number("head");
        String id = runner.ask("id");
        long cpu = hub.cpuMillis() + runner.cpuMillis();
        long start = System.nanoTime();
        runner.ask("link");
        while (hub.number("pulled " + id) < head) {
            Thread.sleep(3);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        lastCpuMillis = hub.cpuMillis() + runner.cpuMillis() - cpu;
        runner.ask("unlink");
        return seconds;
    }

    /** What the last backlog cost on both ends, on however many cores. */
    long lastCpuMillis() {
        return lastCpuMillis;
    }

    void awaitPulled(Child runner) throws IOException, InterruptedException {
        long head = runner.number("head");
        String id = runner.ask("id");
        while (hub.number("pulled " + id) < head) {
            Thread.sleep(5);
        }
    }

    /** Milliseconds from commit to commit, sorted. */
    double[] mail(Child from, Child to, int mails, int everyMillis)
            throws IOException, InterruptedException {
        to.ask("latencies");
        for (int i = 0; i < mails; i++) {
            from.ask("mail");
            Thread.sleep(everyMillis);
        }
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (to.number("arrived") < mails && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        return millis(to.ask("latencies"));
    }

    double[] fanOut(Child from, Child others, int links, int rounds)
            throws IOException, InterruptedException {
        double[] all = new double[0];
        for (int i = 0; i < rounds; i++) {
            from.ask("mail");
            double[] got = new double[0];
            long deadline = System.nanoTime() + 60_000_000_000L;
            while (got.length < links && System.nanoTime() < deadline) {
                Thread.sleep(100);
                double[] more = millis(others.ask("latencies"));
                double[] joined = Arrays.copyOf(got, got.length + more.length);
                System.arraycopy(more, 0, joined, got.length, more.length);
                got = joined;
            }
            double[] joined = Arrays.copyOf(all, all.length + got.length);
            System.arraycopy(got, 0, joined, all.length, got.length);
            all = joined;
        }
        Arrays.sort(all);
        return all;
    }

    private static double[] millis(String nanos) {
        if (nanos.isEmpty()) {
            return new double[0];
        }
        double[] millis =
                Arrays.stream(nanos.split(",", -1))
                        .mapToDouble(text -> Long.parseLong(text) / 1e6)
                        .toArray();
        Arrays.sort(millis);
        return millis;
    }

    @Override
    public void close() throws IOException {
        for (Child child : children.values()) {
            child.close();
        }
        hub.close();
    }
}
