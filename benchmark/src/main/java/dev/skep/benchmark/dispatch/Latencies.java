package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.dispatch.host.HeartbeatInterval;
import dev.skep.testkit.Killable;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.route.Json;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How soon a job starts over the link, and what beats cost over HTTP; the hub is in this process.
 */
final class Latencies {
    private static final int FLEET = 10_000;

    private Latencies() {}

    /** From the create call to the moment its host holds it; the host is idle and waits. */
    static void startLatency(BenchmarkReport report, Scratch scratch, int jobs) throws Exception {
        report.progress("create to start, %,d times on an idle host".formatted(jobs));
        double[] millis = new double[jobs];
        try (HttpHub hub = new HttpHub(Files.createTempDirectory(scratch.folder(), "latency"));
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            CallClient link = hub.link("host:default:h1");
            BlockingQueue<Long> started = new ArrayBlockingQueue<>(1);
            Semaphore waits = new Semaphore(0);
            var _ =
                    pool.submit(
                            () -> {
                                for (int i = 0; i < jobs; i++) {
                                    waits.release();
                                    String next =
                                            ask(link, "/api/agent/jobs/next?wait=20", Map.of());
                                    started.put(System.nanoTime());
                                    ask(
                                            link,
                                            "/api/agent/runs/%s/result"
                                                    .formatted(Json.fields(next).text("jobRunId")),
                                            Map.of("attempt", 1, "status", "succeeded"));
                                }
                                return true;
                            });
            for (int i = 0; i < jobs; i++) {
                waits.acquire();
                long from = System.nanoTime();
                hub.post(
                        "operator:default",
                        "/api/orgs/default/jobs",
                        Map.of(
                                "hostId",
                                "h1",
                                "type",
                                "shell",
                                "payload",
                                Map.of("command", "true")));
                Long at = started.poll(30, TimeUnit.SECONDS);
                if (at == null) {
                    throw new IllegalStateException("a job did not start in time");
                }
                millis[i] = (at - from) / 1e6;
            }
        }
        Arrays.sort(millis);
        report.add(
                new Figure(
                        "dispatch.start_latency.p50_ms",
                        millis[jobs / 2],
                        "ms",
                        null,
                        null,
                        Goal.atMost(10),
                        "over the link; p99 %.1f".formatted(millis[jobs * 99 / 100])));
    }

    /**
     * Processor time of the hub while a fleet in another process sends heartbeats at a given rate.
     */
    static void heartbeats(BenchmarkReport report, Scratch scratch, int seconds) throws Exception {
        report.progress("%,d hosts beating for %d s".formatted(FLEET, seconds));
        try (HttpHub hub = new HttpHub(Files.createTempDirectory(scratch.folder(), "beats"))) {
            hub.knowHosts(FLEET);
            int perSecond = (int) (FLEET / HeartbeatInterval.forFleet(FLEET).toSeconds());
            try (Killable fleet =
                    new Killable(
                            Beating.class,
                            line -> {},
                            hub.url(),
                            Integer.toString(FLEET),
                            Integer.toString(perSecond))) {
                fleet.greeting();
                // A hub runs for months: what its first seconds compile is not what beats cost.
                TimeUnit.SECONDS.sleep(seconds);
                Duration before = cpu();
                long start = System.nanoTime();
                TimeUnit.SECONDS.sleep(seconds);
                double wall = (System.nanoTime() - start) / 1e9;
                report.add(
                        new Figure(
                                "dispatch.heartbeats.cores",
                                cpu().minus(before).toNanos() / 1e9 / wall,
                                "cores",
                                null,
                                null,
                                Goal.atMost(0.5),
                                "%d beats/s over HTTP".formatted(perSecond)));
            }
        }
    }

    private static String ask(CallClient link, String path, Map<String, ?> body)
            throws InterruptedException {
        return link.post(path, Json.text(body), Duration.ofSeconds(30), false).orElseThrow().body();
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }
}
