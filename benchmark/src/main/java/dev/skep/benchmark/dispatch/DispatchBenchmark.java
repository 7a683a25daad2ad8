package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.Report;
import dev.skep.benchmark.Scratch;
import java.util.Arrays;

/** Claims and completes through the three engines, beside BullMQ and db-scheduler. */
public final class DispatchBenchmark implements Benchmark {
    static final int HOSTS = 64;
    static final int CLAIMERS = 256;

    /** Done before the clock starts, on all sides: a short run measures what a long one does. */
    static final int WARM = 20_000;

    /** All sides take turns, and the median round counts: this machine is never quiet. */
    static final int ROUNDS = 5;

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        Throughput throughput = new Throughput(report);
        throughput.besideBullMq(quick ? 20_000 : 300_000, quick ? 8_000 : 60_000);
        throughput.besideDbScheduler(quick ? 3_000 : 20_000);
        try (Scratch scratch = new Scratch()) {
            for (Engine engine : Engine.values()) {
                new Backlogs(engine, scratch.folder())
                        .measure(report, quick ? 100_000 : 1_000_000, quick ? 4_000 : 20_000);
            }
            Latencies.startLatency(report, scratch, quick ? 100 : 1_000);
            Latencies.heartbeats(report, scratch, quick ? 5 : 20);
        }
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
