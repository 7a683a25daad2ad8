package dev.skep.fleet.nemesis;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.FakeClock;
import dev.skep.testkit.Relay;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Carries out a schedule: lanes side by side, the faults of a lane one after the other. */
final class FaultInjector {
    private final FaultyFleet fleet;
    private final Set<String> without;
    private final CountDownLatch abort;
    private final Acknowledgements history;
    private final Map<String, Integer> done = new TreeMap<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();

    FaultInjector(
            FaultyFleet fleet,
            Set<String> without,
            CountDownLatch abort,
            Acknowledgements history) {
        this.fleet = fleet;
        this.without = without;
        this.abort = abort;
        this.history = history;
    }

    /** Returns when all faults are over. */
    void run(List<List<PlannedFault>> lanes) throws InterruptedException {
        long begin = System.nanoTime();
        List<Thread> threads =
                lanes.stream()
                        .map(lane -> Thread.ofVirtual().start(() -> follow(lane, begin)))
                        .toList();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void follow(List<PlannedFault> lane, long begin) {
        try {
            for (PlannedFault fault : lane) {
                String kind = fault.harm().kind();
                if (without.contains(kind)) {
                    count(leftOut, kind);
                    continue;
                }
                if (passes(fault.at().minusNanos(System.nanoTime() - begin))) {
                    return;
                }
                history.record("begins: " + fault);
                count(befalls(fault) ? done : leftOut, kind);
                history.record("is over: " + fault);
            }
        } catch (IOException | AssertionError e) {
            history.record("a fault could not be injected: " + e);
            count(leftOut, "failed");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void count(Map<String, Integer> counts, String kind) {
        synchronized (counts) {
            counts.merge(kind, 1, Integer::sum);
        }
    }

    /** Whether the run was given up meanwhile. */
    private boolean passes(Duration time) throws InterruptedException {
        return abort.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private boolean befalls(PlannedFault fault) throws IOException, InterruptedException {
        switch (fault.harm()) {
            case FaultEffect.ToLink harm -> {
                Relay relay = fleet.links.get(fault.target());
                if (relay == null) {
                    throw new IOException("no link " + fault.target());
                }
                begin(relay, harm);
                passes(fault.lasts());
                relay.recover();
                return true;
            }
            case FaultEffect.ToProcess harm -> {
                return befalls(fleet.named(fault.target()), harm, fault.lasts());
            }
        }
    }

    private static void begin(Relay relay, FaultEffect.ToLink harm) {
        switch (harm) {
            case FaultEffect.Delayed(Duration by) -> relay.delay(by);
            case FaultEffect.Throttled(int rate) -> relay.throttle(rate);
            case FaultEffect.Stalled(boolean towardsHub) -> relay.stall(towardsHub);
            case FaultEffect.Dropped() -> relay.drop();
            case FaultEffect.Severed() -> relay.sever();
        }
    }

    private boolean befalls(
            NemesisProcess nemesisProcess, FaultEffect.ToProcess harm, Duration lasts)
            throws IOException, InterruptedException {
        switch (harm) {
            case FaultEffect.Killed() -> {
                nemesisProcess.kill();
                passes(lasts);
                nemesisProcess.start();
            }
            case FaultEffect.Frozen() -> {
                nemesisProcess.freeze();
                passes(lasts);
                nemesisProcess.thaw();
            }
            case FaultEffect.ClockOff(Duration by) -> {
                FakeClock clock = nemesisProcess.clock.orElseThrow();
                clock.set(by);
                passes(lasts);
                clock.set(Duration.ZERO);
            }
            case FaultEffect.DiskFull() -> {
                ProcessDisk disk = nemesisProcess.disk.orElseThrow();
                // One that is still on its way up cannot get there.
                nemesisProcess.mayEnd(!nemesisProcess.isUp());
                disk.fill();
                passes(lasts);
                disk.free();
                restart(nemesisProcess);
            }
            case FaultEffect.StartedOnFullDisk() -> {
                ProcessDisk disk = nemesisProcess.disk.orElseThrow();
                nemesisProcess.kill();
                disk.fill();
                startInVain(nemesisProcess, lasts);
                disk.free();
                restart(nemesisProcess);
            }
            case FaultEffect.StartedOnReadOnlyDisk() -> {
                ProcessDisk disk = nemesisProcess.disk.orElseThrow();
                nemesisProcess.kill();
                boolean readOnly = disk.readOnly(true);
                startInVain(nemesisProcess, lasts);
                nemesisProcess.kill();
                disk.readOnly(false);
                nemesisProcess.start();
                return readOnly;
            }
        }
        return true;
    }

    private void startInVain(NemesisProcess nemesisProcess, Duration lasts)
            throws InterruptedException {
        nemesisProcess.start();
        nemesisProcess.mayEnd(true);
        passes(lasts);
    }

    /** Starts one that could not; one that ended and should not have stays ended, to be found. */
    private static void restart(NemesisProcess nemesisProcess) {
        Eventually.holds(
                nemesisProcess.name + " is up or has given up",
                FaultyFleet.UP_WITHIN,
                () -> nemesisProcess.isUp() || !nemesisProcess.isAlive());
        if (!nemesisProcess.mustStay()) {
            nemesisProcess.start();
        }
    }

    /** How many faults of each kind there were. */
    Map<String, Integer> done() {
        synchronized (done) {
            return new TreeMap<>(done);
        }
    }

    /** How many were planned and not carried out. */
    Map<String, Integer> leftOut() {
        synchronized (leftOut) {
            return new TreeMap<>(leftOut);
        }
    }
}
