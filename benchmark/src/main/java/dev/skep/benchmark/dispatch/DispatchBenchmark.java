package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Report;
import dev.skep.benchmark.Scratch;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.redis.RedisJobQueue;
import dev.skep.dispatch.queue.redis.RedisLink;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.PostgresServer;
import dev.skep.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Claims and completes through the three engines, beside BullMQ and db-scheduler. */
public final class DispatchBenchmark implements Benchmark {
    private static final int HOSTS = 64;
    private static final int CLAIMERS = 256;

    /** All sides take turns, and the median round counts: this machine is never quiet. */
    private static final int ROUNDS = 3;

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public void run(Report report, boolean quick) throws Exception {
        int jobs = quick ? 8_000 : 60_000;
        try (Scratch scratch = new Scratch()) {
            throughput(report, scratch, jobs);
            postgres(report, quick ? 3_000 : 20_000);
            flatness(report, scratch, quick ? 100_000 : 1_000_000, quick ? 4_000 : 20_000);
            Latencies.startLatency(report, scratch, quick ? 100 : 1_000);
            Latencies.heartbeats(report, scratch, quick ? 5 : 20);
        }
    }

    private static void throughput(Report report, Scratch scratch, int jobs) throws Exception {
        double[] sqlite = new double[ROUNDS];
        double[] redis = new double[ROUNDS];
        double[] bull = new double[ROUNDS];
        String missing = null;
        for (int round = 0; round < ROUNDS; round++) {
            report.progress(
                    "%,d jobs each: BullMQ, SQLite, Redis; round %d".formatted(jobs, round + 1));
            Path folder = Files.createTempDirectory(scratch.folder(), "round");
            try (RedisServer server = RedisServer.lasting(folder)) {
                bull[round] = BullMq.jobsPerSecond(server, jobs / 3, HOSTS);
            } catch (BullMq.Unavailable e) {
                missing = e.getMessage();
            }
            sqlite[round] = measure(sqlite(folder, "s"), SqlJobQueue::new, jobs);
            try (RedisServer server =
                            RedisServer.lasting(Files.createDirectory(folder.resolve("r")));
                    RedisLink link = RedisLink.open(server.url())) {
                redis[round] = measure(sqlite(folder, "r"), p -> new RedisJobQueue(p, link), jobs);
            }
        }
        report.add(beside("dispatch.sqlite.jobs_ratio", sqlite, "BullMQ", bull, 4, missing));
        report.add(beside("dispatch.redis.jobs_ratio", redis, "BullMQ", bull, 5, missing));
    }

    private static void postgres(Report report, int jobs) throws Exception {
        double[] ours = new double[ROUNDS];
        double[] theirs = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            report.progress(
                    "%,d jobs each: db-scheduler, PostgreSQL; round %d".formatted(jobs, round + 1));
            theirs[round] =
                    DbScheduler.jobsPerSecond(
                            (DatabaseUrl.Postgres) PostgresServer.newDatabase(), jobs);
            ours[round] = measure(PostgresServer.newDatabase(), SqlJobQueue::new, jobs);
        }
        report.add(beside("dispatch.postgres.jobs_ratio", ours, "db-scheduler", theirs, 3, null));
    }

    private static double measure(DatabaseUrl url, Function<QueueParts, JobQueue> engine, int jobs)
            throws Exception {
        try (Hub hub = new Hub(url, engine)) {
            List<Principal.Host> hosts = hub.admit(Hub.ORG, "h", HOSTS);
            int warm = jobs / 10;
            hub.create(hosts, jobs);
            hub.work(hosts, CLAIMERS, warm);
            return hub.work(hosts, CLAIMERS, jobs - warm);
        }
    }

    /** The same work with next to nothing waiting behind it, and with very much. */
    private static void flatness(Report report, Scratch scratch, int backlog, int jobs)
            throws Exception {
        double[] few = new double[ROUNDS];
        double[] many = new double[ROUNDS];
        double[] otherAlone = new double[ROUNDS];
        double[] otherBeside = new double[ROUNDS];
        report.progress("%,d jobs with %,d waiting".formatted(jobs, backlog));
        try (Hub quiet = new Hub(sqlite(scratch.folder(), "few"), SqlJobQueue::new);
                Hub loaded = new Hub(sqlite(scratch.folder(), "many"), SqlJobQueue::new)) {
            List<Principal.Host> ofQuiet = quiet.admit(Hub.ORG, "h", HOSTS);
            List<Principal.Host> ofLoaded = loaded.admit(Hub.ORG, "h", HOSTS);
            OrgId second = new OrgId("second");
            List<Principal.Host> otherQuiet = quiet.admit(second, "o", 1);
            List<Principal.Host> otherLoaded = loaded.admit(second, "o", 1);
            loaded.create(ofLoaded, backlog);
            for (int round = 0; round < ROUNDS; round++) {
                quiet.create(ofQuiet, jobs + 10);
                few[round] = quiet.work(ofQuiet, CLAIMERS, jobs);
                loaded.create(ofLoaded, jobs);
                many[round] = loaded.work(ofLoaded, CLAIMERS, jobs);
                otherAlone[round] = quiet.startMillis(otherQuiet.getFirst());
                otherBeside[round] = loaded.startMillis(otherLoaded.getFirst());
            }
        }
        report.add(
                Figure.beside(
                        "dispatch.backlog_flatness",
                        median(many),
                        "jobs/s",
                        "with 10 waiting",
                        median(few),
                        Goal.ratioAtLeast(0.8)));
        report.add(
                Figure.beside(
                        "dispatch.other_org_start_ms",
                        median(otherBeside),
                        "ms",
                        "on an empty queue",
                        median(otherAlone),
                        Goal.none()));
    }

    private static DatabaseUrl sqlite(Path folder, String name) {
        return new DatabaseUrl.Sqlite(folder.resolve(name + ".db"));
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
