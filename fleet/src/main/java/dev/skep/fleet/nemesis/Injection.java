package dev.skep.fleet.nemesis;

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
final class Injection {
    private final TroubledFleet fleet;
    private final Set<String> without;
    private final CountDownLatch abort;
    private final Acknowledgements history;
    private final Map<String, Integer> done = new TreeMap<>();
    private final Map<String, Integer> leftOut = new TreeMap<>();

    Injection(
            TroubledFleet fleet,
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
                history.tell("begins: " + fault);
                count(befalls(fault) ? done : leftOut, kind);
                history.tell("is over: " + fault);
            }
        } catch (IOException e) {
            history.tell("a fault could not be injected: " + e);
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
            case Harm.ToLink harm -> {
                Relay relay = fleet.links.get(fault.target());
                if (relay == null) {
                    throw new IOException("no link " + fault.target());
                }
                begin(relay, harm);
                passes(fault.lasts());
                relay.recover();
                return true;
            }
            case Harm.ToProcess harm -> {
                return befalls(fleet.named(fault.target()), harm, fault.lasts());
            }
        }
    }

    private static void begin(Relay relay, Harm.ToLink harm) {
        switch (harm) {
            case Harm.Delayed(Duration by) -> relay.delay(by);
            case Harm.Throttled(int rate) -> relay.throttle(rate);
            case Harm.Stalled(boolean towardsHub) -> relay.stall(towardsHub);
            case Harm.Dropped() -> relay.drop();
            case Harm.Severed() -> relay.sever();
        }
    }

    private boolean befalls(Victim victim, Harm.ToProcess harm, Duration lasts)
            throws IOException, InterruptedException {
        switch (harm) {
            case Harm.Killed() -> {
                victim.kill();
                passes(lasts);
                victim.start();
            }
            case Harm.Frozen() -> {
                victim.freeze();
                passes(lasts);
                victim.thaw();
            }
            case Harm.ClockOff(Duration by) -> {
                FakeClock clock = victim.clock.orElseThrow();
                clock.set(by);
                passes(lasts);
                clock.set(Duration.ZERO);
            }
            case Harm.DiskFull() -> {
                SmallDisk disk = victim.disk.orElseThrow();
                // One that is still on its way up cannot get there.
                victim.mayEnd(!victim.isListening());
                disk.fill();
                passes(lasts);
                disk.free();
                goOn(victim);
            }
            case Harm.StartedOnFullDisk() -> {
                SmallDisk disk = victim.disk.orElseThrow();
                victim.kill();
                disk.fill();
                startInVain(victim, lasts);
                disk.free();
                goOn(victim);
            }
            case Harm.StartedOnReadOnlyDisk() -> {
                SmallDisk disk = victim.disk.orElseThrow();
                victim.kill();
                boolean readOnly = disk.readOnly(true);
                startInVain(victim, lasts);
                victim.kill();
                disk.readOnly(false);
                victim.start();
                return readOnly;
            }
        }
        return true;
    }

    private void startInVain(Victim victim, Duration lasts) throws InterruptedException {
        victim.start();
        victim.mayEnd(true);
        passes(lasts);
    }

    /** Starts one that could not; one that ended and should not have stays ended, to be found. */
    private static void goOn(Victim victim) throws InterruptedException {
        TroubledFleet.Patience.until(
                victim.name + " is up or has given up",
                () -> victim.isListening() || !victim.isAlive());
        if (!victim.mustStay()) {
            victim.start();
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
