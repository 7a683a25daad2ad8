package dev.skep.benchmark.dispatch;

import dev.skep.benchmark.BenchmarkReport;
import dev.skep.benchmark.Figure;
import dev.skep.benchmark.Figure.Goal;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The same work with next to nothing waiting behind it, with more, and with very much. */
final class Backlogs {
    private static final OrgId SECOND = new OrgId("second");
    private static final int SOME = 10_000;

    /** Slices that are not counted: what the compiler does in them falls on the first queue. */
    private static final int WARM = 4;

    private final Engine engine;
    private final Path folder;
    private final Size size;

    Backlogs(Engine engine, Path folder, Size size) {
        this.engine = engine;
        this.folder = folder;
        this.size = size;
    }

    void measure(BenchmarkReport report) throws Exception {
        report.progress(
                "%,d jobs with 10, %,d and %,d waiting: %s"
                        .formatted(size.behind(), SOME, size.waiting(), engine.figures()));
        try (Backlog few = new Backlog(10);
                Backlog some = new Backlog(SOME);
                Backlog many = new Backlog(size.waiting())) {
            List<Backlog> all = List.of(few, some, many);
            takeTurns(all, WARM);
            all.forEach(Backlog::forget);
            takeTurns(all, size.slices());
            report.add(beside("backlog_flatness_10k", "jobs/s", some.rate(), few.rate()));
            report.add(beside("backlog_flatness", "jobs/s", many.rate(), few.rate()));
            report.add(beside("other_org_starts", "starts/s", many.starts(), few.starts()));
        }
    }

    private static void takeTurns(List<Backlog> all, int slices) throws Exception {
        for (int slice = 0; slice < slices; slice++) {
            for (Backlog each : all) {
                each.work();
            }
        }
    }

    private Figure beside(String name, String unit, double ours, double few) {
        return Figure.beside(
                engine.figures() + "." + name,
                ours,
                unit,
                "with 10 waiting",
                few,
                Goal.ratioAtLeast(0.8));
    }

    /** A hub where an org has so many jobs waiting, and a second org has none. */
    private final class Backlog implements AutoCloseable {
        private final BenchmarkHub hub;
        private final List<Principal.Host> hosts;
        private final Principal.Host other;
        private double seconds;
        private double startSeconds;
        private int slices;

        Backlog(int waiting) throws IOException {
            hub = engine.open(folder);
            hosts = hub.admit(BenchmarkHub.ORG, "h", DispatchBenchmark.HOSTS);
            other = hub.admit(SECOND, "o", 1).getFirst();
            hub.create(hosts, waiting);
        }

        void work() throws Exception {
            hub.create(hosts, size.behind());
            seconds += size.behind() / hub.work(hosts, DispatchBenchmark.CLAIMERS, size.behind());
            startSeconds += hub.startMillis(other) / 1_000;
            slices++;
        }

        void forget() {
            seconds = 0;
            startSeconds = 0;
            slices = 0;
        }

        /** Jobs per second over all slices: this machine has two speeds, and a median jumps. */
        double rate() {
            return slices * size.behind() / seconds;
        }

        double starts() {
            return slices / startSeconds;
        }

        @Override
        public void close() {
            hub.close();
        }
    }
}
