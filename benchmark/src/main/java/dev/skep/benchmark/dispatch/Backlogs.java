package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.benchmark.Report;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The same work with next to nothing waiting behind it, with more, and with very much. */
final class Backlogs {
    private static final OrgId SECOND = new OrgId("second");
    private static final int SOME = 10_000;

    private final Engine engine;
    private final Path folder;
    private final Size size;

    Backlogs(Engine engine, Path folder, Size size) {
        this.engine = engine;
        this.folder = folder;
        this.size = size;
    }

    void measure(Report report) throws Exception {
        report.progress(
                "%,d jobs with 10, %,d and %,d waiting: %s"
                        .formatted(size.behind(), SOME, size.waiting(), engine.figures()));
        try (Backlog few = new Backlog(10);
                Backlog some = new Backlog(SOME);
                Backlog many = new Backlog(size.waiting())) {
            for (int slice = 0; slice < size.slices(); slice++) {
                for (Backlog each : List.of(few, some, many)) {
                    each.work(slice);
                }
            }
            report.add(beside("backlog_flatness_10k", "jobs/s", some.rates, few.rates));
            report.add(beside("backlog_flatness", "jobs/s", many.rates, few.rates));
            report.add(beside("other_org_starts", "starts/s", many.starts, few.starts));
        }
    }

    private Figure beside(String name, String unit, double[] ours, double[] few) {
        return Figure.beside(
                engine.figures() + "." + name,
                DispatchBenchmark.median(ours),
                unit,
                "with 10 waiting",
                DispatchBenchmark.median(few),
                Goal.ratioAtLeast(0.8));
    }

    /** A hub where an org has so many jobs waiting, and a second org has none. */
    private final class Backlog implements AutoCloseable {
        private final Hub hub;
        private final List<Principal.Host> hosts;
        private final Principal.Host other;
        private final double[] rates = new double[size.slices()];
        private final double[] starts = new double[size.slices()];

        Backlog(int waiting) throws IOException {
            hub = engine.open(folder);
            hosts = hub.admit(Hub.ORG, "h", DispatchBenchmark.HOSTS);
            other = hub.admit(SECOND, "o", 1).getFirst();
            hub.create(hosts, waiting);
        }

        void work(int slice) throws Exception {
            hub.create(hosts, size.behind());
            rates[slice] = hub.work(hosts, DispatchBenchmark.CLAIMERS, size.behind());
            starts[slice] = 1_000 / hub.startMillis(other);
        }

        @Override
        public void close() {
            hub.close();
        }
    }
}
