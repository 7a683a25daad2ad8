package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Scratch;
import java.util.Arrays;

/** Claims and completes through the three engines, beside BullMQ and db-scheduler. */
public final class DispatchBenchmark implements Benchmark {
    static final int HOSTS = 64;
    static final int CLAIMERS = 256;

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        Size size = quick ? Size.QUICK : Size.FULL;
        new Throughput(report, size).besideBullMq();
        new Throughput(report, size.third()).besideDbScheduler();
        try (Scratch scratch = new Scratch()) {
            for (Engine engine : Engine.values()) {
                new Backlogs(engine, scratch.folder(), size).measure(report);
            }
            Latencies.startLatency(report, scratch, size.starts());
            Latencies.heartbeats(report, scratch, size.seconds());
        }
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
