package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Report;
import dev.skep.benchmark.Scratch;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.PostgresServer;
import dev.skep.testkit.RedisServer;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Jobs per second, in turns with the queues people use today. Whoever had a turn leaves nothing
 * behind that would go on working in the turn of the next.
 */
final class Throughput {
    private final Report report;

    Throughput(Report report) {
        this.report = report;
    }

    /**
     * Two engines beside BullMQ.
     *
     * @param first what each engine does before the first round: a hub runs for months
     */
    void besideBullMq(int first, int jobs) throws Exception {
        double[] sqlite = new double[DispatchBenchmark.ROUNDS];
        double[] redis = new double[DispatchBenchmark.ROUNDS];
        double[] bull = new double[DispatchBenchmark.ROUNDS];
        double[] bare = new double[DispatchBenchmark.ROUNDS];
        String missing = null;
        try (EngineProcess ourSqlite = new EngineProcess(Engine.SQLITE);
                EngineProcess ourRedis = new EngineProcess(Engine.REDIS)) {
            report.progress("%,d jobs each to warm up: SQLite, Redis".formatted(first));
            ourSqlite.jobsPerSecond(first);
            ourRedis.jobsPerSecond(first);
            for (int round = 0; round < DispatchBenchmark.ROUNDS; round++) {
                report.progress(
                        "%,d jobs each: BullMQ, SQLite, Redis; round %d"
                                .formatted(jobs, round + 1));
                try {
                    bull[round] = recordedBull(jobs);
                    bare[round] = bull(jobs, Optional.empty());
                } catch (BullMq.Unavailable e) {
                    missing = e.getMessage();
                }
                sqlite[round] = ourSqlite.jobsPerSecond(jobs);
                redis[round] = ourRedis.jobsPerSecond(jobs);
            }
        }
        report.add(beside("dispatch.sqlite.jobs_ratio", sqlite, "BullMQ", bull, 4, missing));
        report.add(beside("dispatch.redis.jobs_ratio", redis, "BullMQ", bull, 5, missing));
        report.add(
                new Figure(
                        "dispatch.redis.bare_ratio",
                        DispatchBenchmark.median(redis),
                        "jobs/s",
                        "BullMQ that records nothing",
                        missing == null ? Double.valueOf(DispatchBenchmark.median(bare)) : null,
                        Goal.none(),
                        missing == null ? "for comparison only" : missing));
    }

    private static double recordedBull(int jobs)
            throws IOException, InterruptedException, BullMq.Unavailable {
        DatabaseUrl.Postgres record = PostgresServer.newDurableDatabase();
        try {
            return bull(jobs, Optional.of(record));
        } finally {
            PostgresServer.dropDurable(record);
        }
    }

    private static double bull(int jobs, Optional<DatabaseUrl.Postgres> record)
            throws IOException, InterruptedException, BullMq.Unavailable {
        try (Scratch scratch = new Scratch();
                RedisServer server = RedisServer.lasting(scratch.folder())) {
            return BullMq.jobsPerSecond(server, jobs, record);
        }
    }

    /** The third engine beside db-scheduler. */
    void besideDbScheduler(int jobs) throws Exception {
        double[] ours = new double[DispatchBenchmark.ROUNDS];
        double[] theirs = new double[DispatchBenchmark.ROUNDS];
        try (EngineProcess postgres = new EngineProcess(Engine.POSTGRES)) {
            for (int round = 0; round < DispatchBenchmark.ROUNDS; round++) {
                report.progress(
                        "%,d jobs each: db-scheduler, PostgreSQL; round %d"
                                .formatted(jobs, round + 1));
                theirs[round] = dbScheduler(jobs);
                ours[round] = postgres.jobsPerSecond(jobs);
            }
        }
        report.add(beside("dispatch.postgres.jobs_ratio", ours, "db-scheduler", theirs, 3, null));
    }

    private static double dbScheduler(int jobs) throws Exception {
        DatabaseUrl.Postgres database = PostgresServer.newDurableDatabase();
        try {
            return DbScheduler.jobsPerSecond(database, jobs);
        } finally {
            PostgresServer.dropDurable(database);
        }
    }

    private static Figure beside(
            String name,
            double[] ours,
            String against,
            double[] theirs,
            double goal,
            @Nullable String missing) {
        return new Figure(
                name,
                DispatchBenchmark.median(ours),
                "jobs/s",
                against,
                missing == null ? Double.valueOf(DispatchBenchmark.median(theirs)) : null,
                Goal.ratioAtLeast(goal),
                missing == null ? "runs durable in SQL, both limits on" : missing);
    }
}
