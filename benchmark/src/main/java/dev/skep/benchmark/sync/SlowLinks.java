package dev.skep.benchmark.sync;

import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.testkit.SlowLine;
import java.io.IOException;
import java.nio.file.Path;

/** A backlog over a line of 64 kbit/s, each way: how much of what the line carries is rows. */
final class SlowLinks {
    private static final long KBIT = 64;
    private static final long BYTES = KBIT * 1_000 / 8;

    private SlowLinks() {}

    /** With as much as the line takes so many seconds for. */
    static void run(BenchmarkReport report, Path folder, int seconds)
            throws IOException, InterruptedException {
        // A character is three quarters of a byte once it is compressed, and a row has more than
        // those.
        long mails = seconds * BYTES / 850;
        try (BenchmarkFleet fleet = new BenchmarkFleet(folder);
                SlowLine line = new SlowLine(fleet.port(), KBIT)) {
            report.progress("%,d mails from a runner over %d kbit/s".formatted(mails, KBIT));
            Child far = fleet.runner("far", line.port());
            far.ask("letters " + mails);
            long start = System.nanoTime();
            far.ask("link");
            awaitMails(fleet.hub(), mails);
            figure(report, "", far, start);
            far.ask("unlink");

            report.progress("%,d mails to a runner over %d kbit/s".formatted(mails, KBIT));
            Child fresh = fleet.runner("fresh", line.port());
            start = System.nanoTime();
            fresh.ask("link");
            awaitMails(fresh, mails);
            figure(report, "_to_runner", far, start);
        }
    }

    private static void awaitMails(Child where, long mails)
            throws IOException, InterruptedException {
        while (where.number("count mail_messages") < mails) {
            Thread.sleep(20);
        }
    }

    /**
     * The rows count as compressed in the largest pages: what smaller ones cost counts against us.
     */
    private static void figure(BenchmarkReport report, String way, Child rows, long start)
            throws IOException {
        double seconds = (System.nanoTime() - start) / 1e9;
        report.add(
                Figure.beside(
                        "sync.slow_link_ratio" + way,
                        rows.number("compressed") / seconds,
                        "bytes/s",
                        "the line",
                        BYTES,
                        Goal.ratioAtLeast(0.6)));
    }
}
