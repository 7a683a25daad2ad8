package dev.skep.benchmark.sync;

import dev.skep.benchmark.Benchmark;
import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Scratch;
import dev.skep.benchmark.store.LogRows;
import dev.skep.benchmark.store.PlainJdbc;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;

/** Rows from runners to a hub and on to other hosts: how many, how fast, at what cost. */
public final class SyncBenchmark implements Benchmark {
    private static final int BATCH = 1_000;
    private static final int ROUNDS = 5;
    private static final int WARMING = 200;

    @Override
    public String name() {
        return "sync";
    }

    @Override
    public void run(BenchmarkReport report, boolean quick) throws Exception {
        try (Scratch scratch = new Scratch()) {
            double raw = rawUpserts(report, scratch.folder(), quick ? 20_000 : 200_000);
            try (BenchmarkFleet fleet = new BenchmarkFleet(scratch.folder().resolve("backlog"))) {
                backlog(report, fleet, raw, quick);
                catchUp(report, fleet, quick ? 2_000 : 20_000);
            }
            SlowLinks.run(report, scratch.folder().resolve("slow"), quick ? 20 : 100);
            // A hub of its own, or each of the many links would first catch up with all that mail.
            try (BenchmarkFleet fleet = new BenchmarkFleet(scratch.folder().resolve("mail"))) {
                mail(report, fleet, "", quick ? 100 : 500);
                links(report, fleet, quick);
            }
        }
    }

    private static double rawUpserts(BenchmarkReport report, Path folder, int rows)
            throws Exception {
        report.progress("raw SQLite: %,d log rows, %,d a commit".formatted(rows, BATCH));
        DatabaseUrl.Sqlite url = new DatabaseUrl.Sqlite(folder.resolve("raw.db"));
        Databases.open(url, InstantSource.system()).close();
        double[] rates = new double[3];
        try (PlainJdbc driver = PlainJdbc.sqlite(url)) {
            for (int round = -1; round < rates.length; round++) {
                long start = System.nanoTime();
                for (int at = 0; at < rows; at += BATCH) {
                    driver.put(LogRows.batch((round + 1) * rows + at, BATCH));
                }
                if (round >= 0) {
                    rates[round] = rows * 1e9 / (System.nanoTime() - start);
                }
            }
        }
        Arrays.sort(rates);
        return rates[1];
    }

    /**
     * Rows a runner wrote while the hub was away; the curve shows that the price of one is flat.
     */
    private static void backlog(
            BenchmarkReport report, BenchmarkFleet fleet, double raw, boolean quick)
            throws Exception {
        Child runner = fleet.runner("backlog");
        report.progress("backlog: warming both processes");
        for (int i = 0; i < 5; i++) {
            fleet.backlog(runner, 20_000);
        }
        double[] rates = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            report.progress("backlog of 20,000 rows, round " + (round + 1));
            rates[round] = 20_000 / fleet.backlog(runner, 20_000);
        }
        Arrays.sort(rates);
        report.add(
                Figure.beside(
                        "sync.backlog.rows_per_s",
                        rates[ROUNDS / 2],
                        "rows/s",
                        "raw sqlite upsert",
                        raw,
                        Goal.atLeast(60_000)));
        report.add(
                Figure.beside(
                        "sync.backlog.ratio",
                        rates[ROUNDS / 2],
                        "rows/s",
                        "raw sqlite upsert",
                        raw,
                        Goal.ratioAtLeast(0.4)));
        for (int rows :
                quick
                        ? new int[] {1_000, 10_000, 100_000}
                        : new int[] {10_000, 100_000, 1_000_000}) {
            report.progress("backlog of %,d rows".formatted(rows));
            double seconds = fleet.backlog(runner, rows);
            report.add(
                    Figure.alone(
                            "sync.backlog.rows_per_s_" + rows,
                            rows / seconds,
                            "rows/s",
                            rows >= 1_000_000 ? Goal.atLeast(60_000) : Goal.none()));
            report.add(
                    Figure.alone(
                            "sync.backlog.cpu_us_per_row_" + rows,
                            fleet.lastCpuMillis() * 1e3 / rows,
                            "µs",
                            Goal.none()));
        }
        long written = runner.number("count context_log");
        report.add(
                Figure.alone(
                        "sync.backlog.delivered",
                        (double) fleet.hub().number("count context_log") / written,
                        "",
                        Goal.exactly(1)));
    }

    private static void mail(BenchmarkReport report, BenchmarkFleet fleet, String suffix, int mails)
            throws Exception {
        Child from = fleet.linked("sender");
        Child to = fleet.linked("receiver");
        report.progress("mail%s: %,d from host to host".formatted(suffix, mails));
        fleet.mail(from, to, WARMING, 5);
        long cpu = fleet.hub().cpuMillis();
        double[] millis = fleet.mail(from, to, mails, suffix.isEmpty() ? 10 : 50);
        report.add(
                Figure.alone(
                        "sync.mail.hub_cpu_ms_per_mail" + suffix,
                        (double) (fleet.hub().cpuMillis() - cpu) / mails,
                        "ms",
                        Goal.none()));
        if (millis.length < mails) {
            throw new IOException("mail was lost: %d of %d".formatted(millis.length, mails));
        }
        report.add(
                Figure.alone(
                        "sync.mail.p50_ms" + suffix,
                        millis[millis.length / 2],
                        "ms",
                        Goal.atMost(10)));
        report.add(
                Figure.alone(
                        "sync.mail.p99_ms" + suffix,
                        millis[millis.length * 99 / 100],
                        "ms",
                        Goal.atMost(30)));
    }

    private static void catchUp(BenchmarkReport report, BenchmarkFleet fleet, int mails)
            throws Exception {
        report.progress("catch-up: %,d mails to two recipients each".formatted(mails));
        Child from = fleet.linked("sender");
        from.ask("mails " + mails);
        fleet.awaitPulled(from);
        long expected =
                fleet.hub().number("count mail_messages")
                        + fleet.hub().number("count mail_recipients");
        double[] seconds = new double[3];
        long delivered = 0;
        for (int round = 0; round < seconds.length; round++) {
            Child fresh = fleet.runner("fresh" + round);
            seconds[round] = fresh.number("caught_up") / 1e9;
            delivered = fresh.number("count mail_messages") + fresh.number("count mail_recipients");
            fresh.ask("unlink");
        }
        Arrays.sort(seconds);
        report.add(Figure.alone("sync.catchup.seconds", seconds[1], "s", Goal.atMost(1.5)));
        report.add(
                Figure.alone(
                        "sync.catchup.delivered",
                        (double) delivered / expected,
                        "",
                        Goal.exactly(1)));
    }

    private static void links(BenchmarkReport report, BenchmarkFleet fleet, boolean quick)
            throws Exception {
        Child others = fleet.others();
        long before = fleet.hub().number("memory");
        for (int links : new int[] {5, 50, 500}) {
            fleet.openLinks(others, links);
            mail(report, fleet, "_" + links + "links", quick ? 40 : 400);
        }
        others.ask("latencies");
        fleet.openLinks(others, 1_000);
        report.progress("one row to 1,000 links");
        Child from = fleet.linked("sender");
        double[] millis = fleet.fanOut(from, others, 1_000, quick ? 5 : 20);
        report.add(
                Figure.alone(
                        "sync.fanout.p99_ms",
                        millis[millis.length * 99 / 100],
                        "ms",
                        Goal.atMost(250)));
        int idle = quick ? 2_000 : 5_000;
        fleet.openLinks(others, idle);
        long after = fleet.hub().number("memory");
        report.add(
                Figure.alone(
                        "sync.idle_link_kb",
                        (after - before) / 1024.0 / idle,
                        "KB",
                        Goal.atMost(30)));
        if (!quick) {
            report.progress("one row to %,d links".formatted(idle));
            double[] all = fleet.fanOut(from, others, idle, 5);
            report.add(
                    Figure.alone(
                            "sync.fanout.p99_ms_" + idle,
                            all[all.length * 99 / 100],
                            "ms",
                            Goal.none()));
        }
    }
}
