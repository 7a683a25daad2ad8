package dev.skep.fleet.nemesis;

import dev.skep.testkit.FakeClock;
import dev.skep.transport.client.HttpApiClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One run: a fleet under load and faults, then quiet, then the comparison. Closing it at any time
 * ends all processes and removes everything, unless something was found.
 */
final class Nemesis implements AutoCloseable {
    /** How long nothing may get better: longer than a dead link is noticed and dialled again. */
    private static final Duration QUIET_WITHIN = Duration.ofSeconds(150);

    /** How long the jobs of a long run may take to be done, as long as they get fewer. */
    private static final Duration QUIET_AT_MOST = Duration.ofMinutes(15);

    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration TELL_EVERY = Duration.ofSeconds(10);
    private static final Set<String> OF_DISKS =
            Set.of("disk-full", "start-on-full-disk", "start-on-read-only-disk");
    private static final Set<String> OF_CLOCKS = Set.of("clock-hours", "clock-years");

    private final Plan plan;
    private final Consumer<String> output;
    private final Path folder;
    private final CountDownLatch abort = new CountDownLatch(1);
    private final List<AutoCloseable> closing = new ArrayList<>();
    private boolean keeps;
    private boolean closed;

    /**
     * What to do.
     *
     * @param without kinds of faults to leave out
     */
    record Plan(long seed, Duration length, int hubs, int runners, Set<String> without) {
        List<List<PlannedFault>> lanes() {
            return FaultSchedule.lanes(
                    seed,
                    length,
                    FaultyFleet.processNames(hubs, runners),
                    FaultyFleet.linkNames(hubs, runners));
        }
    }

    Nemesis(Plan plan, Consumer<String> output) throws IOException {
        this.plan = plan;
        this.output = output;
        this.folder = Files.createTempDirectory("skep-nemesis-");
        // Jobs run as another user, and their folder is below.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private synchronized <T extends AutoCloseable> T own(T thing) {
        closing.addFirst(thing);
        return thing;
    }

    NemesisReport run() throws Exception {
        Set<String> without = new TreeSet<>(plan.without());
        boolean disks = ProcessDisk.isPossible(folder);
        boolean clocks = FakeClock.isPossible();
        if (!disks) {
            without.addAll(OF_DISKS);
            output.accept(ProcessDisk.NEEDS);
        }
        if (!clocks) {
            without.addAll(OF_CLOCKS);
            output.accept(FakeClock.HOW_TO_INSTALL);
        }
        HttpClient client = HttpApiClient.newClient();
        own(client::shutdownNow);
        Acknowledgements ledger = own(new Acknowledgements(folder.resolve("history.ndjson")));
        List<List<PlannedFault>> lanes = plan.lanes();
        Files.write(
                folder.resolve("schedule.txt"),
                FaultSchedule.inOrder(lanes).stream().map(PlannedFault::toString).toList());
        FaultyFleet fleet =
                own(new FaultyFleet(folder, plan.hubs(), plan.runners(), disks, clocks));
        fleet.start(client);
        output.accept("%d hubs and %d runners are up".formatted(plan.hubs(), plan.runners()));
        FaultInjector faultInjector = new FaultInjector(fleet, without, abort, ledger);
        Workload workload = own(new Workload(plan.seed(), fleet, client, ledger));
        Thread progress = Thread.ofVirtual().start(() -> printProgress(faultInjector, ledger));
        faultInjector.run(lanes);
        workload.stopAsking();
        progress.interrupt();
        ledger.record("all faults are over");
        long calm = System.nanoTime();
        List<String> findings = awaitQuiet(fleet, ledger);
        Duration quiet = Duration.ofNanos(System.nanoTime() - calm);
        workload.close();
        findings.addAll(ends(fleet));
        keeps = !findings.isEmpty() && abort.getCount() > 0;
        if (keeps) {
            findings.forEach(ledger::record);
            fleet.keep();
        }
        return new NemesisReport(
                plan.seed(),
                plan.length(),
                faultInjector.done(),
                faultInjector.leftOut(),
                ledger.counts(),
                ledger.calls(),
                quiet,
                findings,
                keeps ? Optional.of(folder) : Optional.empty());
    }

    private void printProgress(FaultInjector faultInjector, Acknowledgements ledger) {
        long begin = System.nanoTime();
        try {
            while (!abort.await(TELL_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                output.accept(
                        "%4d s: faults %s, acknowledged %s"
                                .formatted(
                                        Duration.ofNanos(System.nanoTime() - begin).toSeconds(),
                                        faultInjector.done(),
                                        ledger.counts()));
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is still wrong when everything is, or should be, quiet. */
    private List<String> awaitQuiet(FaultyFleet fleet, Acknowledgements ledger)
            throws InterruptedException {
        long last = System.nanoTime() + QUIET_AT_MOST.toNanos();
        long end = System.nanoTime() + QUIET_WITHIN.toNanos();
        int fewest = Integer.MAX_VALUE;
        while (true) {
            List<String> findings = new ArrayList<>(FinalComparison.findings(fleet.all(), ledger));
            fleet.all().forEach(each -> findings.addAll(each.unexpectedEndings()));
            if (findings.size() < fewest) {
                fewest = findings.size();
                end = Math.min(last, System.nanoTime() + QUIET_WITHIN.toNanos());
            }
            boolean allAlive = fleet.all().stream().allMatch(NemesisProcess::isAlive);
            if (findings.isEmpty() || !allAlive || System.nanoTime() > end) {
                return findings;
            }
            if (abort.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                return findings;
            }
        }
    }

    /** Ends the processes as a person would, and looks at what they leave behind. */
    private static List<String> ends(FaultyFleet fleet) throws InterruptedException {
        List<String> findings = new ArrayList<>();
        for (NemesisProcess nemesisProcess : fleet.all()) {
            if (!nemesisProcess.stop()) {
                findings.add(nemesisProcess.name + " did not end when it was asked to");
            }
            DatabaseRows.damage(nemesisProcess.database())
                    .forEach(
                            damage -> findings.add(nemesisProcess.name + " is damaged: " + damage));
        }
        return findings;
    }

    /** Whether it was closed while it ran. */
    boolean isGivenUp() {
        return abort.getCount() == 0;
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        abort.countDown();
        for (AutoCloseable each : closing) {
            try {
                each.close();
            } catch (Exception e) {
                output.accept("cannot tidy up: " + e);
            }
        }
        if (!keeps) {
            remove(folder);
        }
    }

    private static void remove(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
