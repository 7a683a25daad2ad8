package dev.skep.benchmark.control;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.benchmark.dispatch.HttpHub;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Stops all agents of a hub while they work, and lets them go again. */
public final class ControlBenchmark implements Benchmark {
    private static final int AGENTS_EACH = 10;
    private static final long MOST_MILLIS = 2_000;

    @Override
    public String name() {
        return "control";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        int hosts = quick ? 2 : 20;
        int rounds = quick ? 2 : 10;
        report.progress(
                "stopping %d agents on %d hosts, %d times"
                        .formatted(hosts * AGENTS_EACH, hosts, rounds));
        double heldAt = 0;
        double lastCallAt = 0;
        double againAt = 0;
        try (var scratch = new Scratch();
                var hub = new HttpHub(Files.createDirectories(scratch.folder().resolve("hub")))) {
            hub.knowHosts(hosts);
            List<WorkingHost> working = new ArrayList<>();
            try {
                for (int i = 0; i < hosts; i++) {
                    Path folder = Files.createDirectories(scratch.folder().resolve("host" + i));
                    working.add(new WorkingHost(hub, "f" + i, folder, AGENTS_EACH));
                }
                for (int round = 0; round < rounds; round++) {
                    awaitTurns(working, System.nanoTime());
                    long begin = System.nanoTime();
                    hub.post("operator:default", "/api/orgs/default/hold", Map.of());
                    awaitHeld(working, begin);
                    // What began after the promise would be seen now.
                    TimeUnit.MILLISECONDS.sleep(MOST_MILLIS);
                    heldAt = Math.max(heldAt, latest(working, begin, true));
                    lastCallAt = Math.max(lastCallAt, latest(working, begin, false));
                    long undone = System.nanoTime();
                    hub.delete("operator:default", "/api/orgs/default/hold");
                    awaitTurns(working, undone);
                    againAt = Math.max(againAt, (System.nanoTime() - undone) / 1e6);
                }
            } finally {
                working.forEach(WorkingHost::close);
            }
        }
        report.add(
                Figure.alone("control.last_agent_held_ms", heldAt, "ms", Goal.atMost(MOST_MILLIS)));
        report.add(
                Figure.alone(
                        "control.last_call_begun_ms", lastCallAt, "ms", Goal.atMost(MOST_MILLIS)));
        report.add(Figure.alone("control.all_at_work_again_ms", againAt, "ms", Goal.none()));
    }

    /** In milliseconds since then; what was before counts as at once. */
    private static double latest(List<WorkingHost> hosts, long begin, boolean held) {
        return hosts.stream()
                        .mapToLong(host -> held ? host.heldAt() : host.lastCallAt())
                        .map(at -> Math.max(0, at - begin))
                        .max()
                        .orElseThrow()
                / 1e6;
    }

    private static void awaitHeld(List<WorkingHost> hosts, long since) throws InterruptedException {
        while (!hosts.stream().allMatch(host -> host.heldAt() >= since)) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Until each agent has asked its model since then. */
    private static void awaitTurns(List<WorkingHost> hosts, long since)
            throws InterruptedException {
        while (!hosts.stream().allMatch(host -> host.allAskedSince(since))) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
