package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Report;
import dev.skep.benchmark.Scratch;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.PostgresServer;
import dev.skep.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Claims and completes through the three engines, beside BullMQ and db-scheduler. */
public final class DispatchBenchmark implements Benchmark {
    static final int HOSTS = 64;
    static final int CLAIMERS = 256;

    /**
     * Done before the clock starts, on all sides, so that a short run measures what a long one
     * does: a hub has one engine, and here it was another until a moment ago.
     */
    static final int WARM = 20_000;

    /**
     * How often both engines are warmed up in turn: a hub runs for months, not for its first
     * seconds, and what one engine had compiled is compiled again when the other begins.
     */
    private static final int PASSES = 3;

    /** All sides take turns, and the median round counts: this machine is never quiet. */
    static final int ROUNDS = 5;

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        int jobs = quick ? 8_000 : 60_000;
        int first = quick ? 20_000 : 100_000;
        try (Scratch scratch = new Scratch()) {
            throughput(report, scratch, first, jobs);
            postgres(report, scratch, quick ? 3_000 : 20_000);
            for (Engine engine : Engine.values()) {
                new Backlogs(engine, scratch.folder())
                        .measure(report, quick ? 100_000 : 1_000_000, quick ? 4_000 : 20_000);
            }
            Latencies.startLatency(report, scratch, quick ? 100 : 1_000);
            Latencies.heartbeats(report, scratch, quick ? 5 : 20);
        }
    }

    private static void throughput(Report report, Scratch scratch, int first, int jobs)
            throws Exception {
        double[] sqlite = new double[ROUNDS];
        double[] redis = new double[ROUNDS];
        double[] bull = new double[ROUNDS];
        double[] bare = new double[ROUNDS];
        String missing = null;
        report.progress("%,d jobs to warm up".formatted(2 * PASSES * first));
        for (int pass = 0; pass < PASSES; pass++) {
            Path warm = Files.createTempDirectory(scratch.folder(), "warm");
            measure(Engine.SQLITE, warm, first);
            measure(Engine.REDIS, warm, first);
        }
        for (int round = 0; round < ROUNDS; round++) {
            report.progress(
                    "%,d jobs each: BullMQ, SQLite, Redis; round %d".formatted(jobs, round + 1));
            Path folder = Files.createTempDirectory(scratch.folder(), "round");
            try {
                bull[round] = bull(folder, jobs, durable());
                bare[round] = bull(folder, jobs, Optional.empty());
            } catch (BullMq.Unavailable e) {
                missing = e.getMessage();
            }
            sqlite[round] = measure(Engine.SQLITE, folder, jobs);
            redis[round] = measure(Engine.REDIS, folder, jobs);
        }
        report.add(beside("dispatch.sqlite.jobs_ratio", sqlite, "BullMQ", bull, 4, missing));
        report.add(beside("dispatch.redis.jobs_ratio", redis, "BullMQ", bull, 5, missing));
        report.add(
                beside(
                        "dispatch.redis.bare_ratio",
                        redis,
                        "BullMQ that records nothing",
                        bare,
                        missing));
    }

    private static double bull(Path folder, int jobs, Optional<DatabaseUrl.Postgres> record)
            throws IOException, InterruptedException, BullMq.Unavailable {
        try (RedisServer server = RedisServer.lasting(Files.createTempDirectory(folder, "bull"))) {
            return BullMq.jobsPerSecond(server, jobs, record);
        }
    }

    private static Optional<DatabaseUrl.Postgres> durable() {
        return Optional.of((DatabaseUrl.Postgres) PostgresServer.newDurableDatabase());
    }

    private static void postgres(Report report, Scratch scratch, int jobs) throws Exception {
        double[] ours = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            report.progress(
                    "%,d jobs each: db-scheduler, PostgreSQL; round %d".formatted(jobs, round + 1));
            theirs[round] =
                    DbScheduler.jobsPerSecond(
                            (DatabaseUrl.Postgres) PostgresServer.newDurableDatabase(), jobs);
            ours[round] = measure(Engine.POSTGRES, scratch.folder(), jobs);
        }
        report.add(beside("dispatch.postgres.jobs_ratio", ours, "db-scheduler", theirs, 3, null));
    }

    private static double measure(Engine engine, Path folder, int jobs) throws Exception {
        try (Hub hub = engine.open(folder)) {
            List<Principal.Host> hosts = hub.admit(Hub.ORG, "h", HOSTS);
            hub.create(hosts, WARM + jobs);
            hub.work(hosts, CLAIMERS, WARM);
            return hub.work(hosts, CLAIMERS, jobs);
        }
    }

    /** For comparison only: the other side does less. */
    private static Figure beside(
            String name, double[] ours, String against, double[] theirs, @Nullable String missing) {
        return new Figure(
                name,
                median(ours),
                "jobs/s",
                against,
                missing == null ? Double.valueOf(median(theirs)) : null,
                Goal.none(),
                missing == null ? "for comparison only" : missing);
    }

    private static Figure beside(
            String name,
            double[] ours,
            String against,
            double[] theirs,
            double goal,
            @Nullable String missing) {
        Double of = missing == null ? Double.valueOf(median(theirs)) : null;
        return new Figure(
                name,
                median(ours),
                "jobs/s",
                against,
                of,
                Goal.ratioAtLeast(goal),
                missing == null ? "runs durable in SQL, both limits on" : missing);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
