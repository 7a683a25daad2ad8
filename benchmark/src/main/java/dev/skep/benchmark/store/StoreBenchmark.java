package dev.skep.benchmark.store;

import dev.skep.agents.AgentTables;
import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.directory.HostTable;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.server.PostgresServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Upserts through the store beside the bare driver, and what opening a database costs. */
public final class StoreBenchmark implements Benchmark {
    private static final int BATCH = 1_000;

    /** Both sides take turns, and the median round counts: this machine is never quiet. */
    private static final int ROUNDS = 5;

    @Override
    public String name() {
        return "store";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        int rows = quick ? 10_000 : 100_000;
        try (Scratch scratch = new Scratch()) {
            sqlite(report, scratch, rows);
            postgres(report, rows / 2);
            opening(report, scratch);
        }
    }

    private static void sqlite(BenchmarkReport report, Scratch scratch, int rows) throws Exception {
        report.progress("SQLite: %,d log rows of 500 bytes, %,d a commit".formatted(rows, BATCH));
        DatabaseUrl ours = new DatabaseUrl.Sqlite(scratch.folder().resolve("ours.db"));
        DatabaseUrl.Sqlite plain = new DatabaseUrl.Sqlite(scratch.folder().resolve("plain.db"));
        new OurStore(plain).close();
        try (OurStore store = new OurStore(ours);
                PlainJdbc driver = PlainJdbc.sqlite(plain)) {
            double[] rates = takeTurns(store, driver, rows);
            report.add(
                    Figure.beside(
                            "store.sqlite.upsert_ratio",
                            rates[0],
                            "rows/s",
                            "raw multi-row sqlite-jdbc",
                            rates[1],
                            Goal.ratioAtLeast(0.8)));
        }
    }

    private static void postgres(BenchmarkReport report, int rows) throws Exception {
        report.progress("PostgreSQL: %,d log rows, %,d a commit".formatted(rows, BATCH));
        DatabaseUrl ours = PostgresServer.newDurableDatabase();
        DatabaseUrl plain = PostgresServer.newDurableDatabase();
        new OurStore(plain).close();
        try (OurStore store = new OurStore(ours);
                PlainJdbc driver = PlainJdbc.postgres((DatabaseUrl.Postgres) plain)) {
            double[] rates = takeTurns(store, driver, rows);
            report.add(
                    Figure.beside(
                            "store.postgres.upsert_ratio",
                            rates[0],
                            "rows/s",
                            "plain JDBC batches",
                            rates[1],
                            Goal.ratioAtLeast(1.5)));
        }
    }

    /** Median rows per second of both, each round writing fresh rows into its own database. */
    private static double[] takeTurns(OurStore store, PlainJdbc driver, int rows) throws Exception {
        double[] ours = new double[ROUNDS];
        double[] plain = new double[ROUNDS];
        // Warm both: the first round is not counted.
        for (int round = -1; round < ROUNDS; round++) {
            List<List<@Nullable Object[]>> batches = batches((round + 1) * rows, rows);
            long start = System.nanoTime();
            for (List<@Nullable Object[]> batch : batches) {
                store.put(AgentTables.CONTEXT_LOG, batch);
            }
            long middle = System.nanoTime();
            for (List<@Nullable Object[]> batch : batches) {
                driver.put(batch);
            }
            long end = System.nanoTime();
            if (round >= 0) {
                ours[round] = rows * 1e9 / (middle - start);
                plain[round] = rows * 1e9 / (end - middle);
            }
        }
        Arrays.sort(ours);
        Arrays.sort(plain);
        return new double[] {ours[ROUNDS / 2], plain[ROUNDS / 2]};
    }

    private static List<List<@Nullable Object[]>> batches(int from, int rows) {
        List<List<@Nullable Object[]>> batches = new ArrayList<>();
        for (int at = 0; at < rows; at += BATCH) {
            batches.add(LogRows.batch(from + at, BATCH));
        }
        return batches;
    }

    private static void opening(BenchmarkReport report, Scratch scratch) {
        report.progress("opening a database with 10,000 hosts and 10,000 agents");
        DatabaseUrl url = new DatabaseUrl.Sqlite(scratch.folder().resolve("full.db"));
        try (OurStore store = new OurStore(url)) {
            store.put(HostTable.HOSTS, Population.hosts(10_000));
            store.put(AgentTables.USERS, Population.agents(10_000));
        }
        double[] times = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            new OurStore(url).close();
            times[round] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(times);
        report.add(Figure.alone("store.open_ms", times[ROUNDS / 2], "ms", Goal.atMost(100)));
    }
}
