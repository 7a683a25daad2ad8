package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.testkit.server.RedisServer;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Jobs per second, in turns with the queues people use today. After its turn each leaves nothing
 * running that would slow the next.
 */
final class Throughput {
    private final BenchmarkReport report;
    private final Size size;

    Throughput(BenchmarkReport report, Size size) {
        this.report = report;
        this.size = size;
    }

    /** Two engines, in turns with BullMQ. */
    void besideBullMq() throws Exception {
        double[] sqlite = new double[size.rounds()];
        double[] redis = new double[size.rounds()];
        double[] bull = new double[size.rounds()];
        double[] bare = new double[size.rounds()];
        String missing = null;
        try (EngineProcess ourSqlite = new EngineProcess(Engine.SQLITE);
                EngineProcess ourRedis = new EngineProcess(Engine.REDIS)) {
            report.progress("%,d jobs each to warm up: SQLite, Redis".formatted(size.first()));
            ourSqlite.jobsPerSecond(0, size.first());
            ourRedis.jobsPerSecond(0, size.first());
            for (int round = 0; round < size.rounds(); round++) {
                report.progress(
                        "%,d jobs by BullMQ, %,d by SQLite and Redis; round %d"
                                .formatted(size.jobs(), size.ours(), round + 1));
                try {
                    bull[round] = recordedBull();
                    bare[round] = bull(Optional.empty());
                } catch (BullMq.Unavailable e) {
                    missing = e.getMessage();
                }
                sqlite[round] = ourSqlite.jobsPerSecond(size.warm(), size.ours());
                redis[round] = ourRedis.jobsPerSecond(size.warm(), size.ours());
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

    private double recordedBull() throws IOException, InterruptedException, BullMq.Unavailable {
        DatabaseUrl.Postgres record = PostgresServer.newDurableDatabase();
        try {
            return bull(Optional.of(record));
        } finally {
            PostgresServer.dropDurable(record);
        }
    }

    private double bull(Optional<DatabaseUrl.Postgres> record)
            throws IOException, InterruptedException, BullMq.Unavailable {
        try (Scratch scratch = new Scratch();
                RedisServer server = RedisServer.lasting(scratch.folder())) {
            return BullMq.jobsPerSecond(server, size, record);
        }
    }

    /** The third engine, in turns with db-scheduler. */
    void besideDbScheduler() throws Exception {
        double[] ours = new double[size.rounds()];
        double[] theirs = new double[size.rounds()];
        try (EngineProcess postgres = new EngineProcess(Engine.POSTGRES)) {
            report.progress("%,d jobs to warm up: PostgreSQL".formatted(size.first()));
            postgres.jobsPerSecond(0, size.first());
            for (int round = 0; round < size.rounds(); round++) {
                report.progress(
                        "%,d jobs by db-scheduler, %,d by PostgreSQL; round %d"
                                .formatted(size.jobs(), size.ours(), round + 1));
                theirs[round] = dbScheduler();
                ours[round] = postgres.jobsPerSecond(size.warm(), size.ours());
            }
        }
        report.add(beside("dispatch.postgres.jobs_ratio", ours, "db-scheduler", theirs, 3, null));
    }

    private double dbScheduler() throws Exception {
        DatabaseUrl.Postgres database = PostgresServer.newDurableDatabase();
        try {
            return DbScheduler.jobsPerSecond(database, size);
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
