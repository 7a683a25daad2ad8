package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Report;
import dev.skep.benchmark.Scratch;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.util.List;

/** The same work with next to nothing waiting behind it, with more, and with very much. */
final class Backlogs {
    private static final OrgId SECOND = new OrgId("second");
    private static final int SOME = 10_000;

    private Backlogs() {}

    static void measure(Report report, Scratch scratch, int much, int jobs) throws Exception {
        report.progress("%,d jobs with 10, %,d and %,d waiting".formatted(jobs, SOME, much));
        try (Backlog few = new Backlog(scratch, 10);
                Backlog some = new Backlog(scratch, SOME);
                Backlog many = new Backlog(scratch, much)) {
            for (int round = 0; round < DispatchBenchmark.ROUNDS; round++) {
                for (Backlog each : List.of(few, some, many)) {
                    each.work(round, jobs);
                }
            }
            report.add(beside("dispatch.backlog_flatness_10k", "jobs/s", some.rates, few.rates));
            report.add(beside("dispatch.backlog_flatness", "jobs/s", many.rates, few.rates));
            report.add(beside("dispatch.other_org_starts", "starts/s", many.starts, few.starts));
        }
    }

    private static Figure beside(String name, String unit, double[] ours, double[] few) {
        return Figure.beside(
                name,
                DispatchBenchmark.median(ours),
                unit,
                "with 10 waiting",
                DispatchBenchmark.median(few),
                Goal.ratioAtLeast(0.8));
    }

    /** A hub where an org has so many jobs waiting, and a second org has none. */
    private static final class Backlog implements AutoCloseable {
        private final Hub hub;
        private final List<Principal.Host> hosts;
        private final Principal.Host other;
        private final double[] rates = new double[DispatchBenchmark.ROUNDS];
        private final double[] starts = new double[DispatchBenchmark.ROUNDS];

        Backlog(Scratch scratch, int waiting) {
            hub =
                    new Hub(
                            DispatchBenchmark.sqlite(scratch.folder(), "waiting" + waiting),
                            SqlJobQueue::new);
            hosts = hub.admit(Hub.ORG, "h", DispatchBenchmark.HOSTS);
            other = hub.admit(SECOND, "o", 1).getFirst();
            hub.create(hosts, waiting);
        }

        void work(int round, int jobs) throws Exception {
            hub.create(hosts, jobs);
            rates[round] = hub.work(hosts, DispatchBenchmark.CLAIMERS, jobs);
            starts[round] = 1_000 / hub.startMillis(other);
        }

        @Override
        public void close() {
            hub.close();
        }
    }
}
