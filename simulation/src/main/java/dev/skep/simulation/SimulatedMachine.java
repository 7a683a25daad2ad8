package dev.skep.simulation;

import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** A computer with a database, a clock of its own, and a process that may die. */
abstract class SimulatedMachine {
    private static final long START = Instant.parse("2027-01-01T00:00:00Z").toEpochMilli();
    static final int TICK = 250;
    static final long YEAR = Duration.ofDays(365).toMillis();

    final World world;
    final String name;
    final List<SimulatedWire> wires = new ArrayList<>();
    private long skew;
    private long highest;
    private int raises;

    SimulatedMachine(World world, String name) {
        this.world = world;
        this.name = name;
        this.skew = world.pick(4_000) - 2_000L;
    }

    InstantSource clock() {
        return () -> Instant.ofEpochMilli(millis());
    }

    long millis() {
        return START + world.now() + skew;
    }

    /** The process reads the wall clock. */
    void readClock() {
        highest = Math.max(highest, millis());
    }

    /** A process begins: if the wall clock is further than ever, time may count that was not. */
    void beginProcess() {
        raises += millis() > highest ? 1 : 0;
        readClock();
    }

    /** The database is another one now, and may know only earlier times. */
    void forgetClock() {
        highest = 0;
    }

    int raises() {
        return raises;
    }

    void jump(long by) {
        world.count(Math.abs(by) > YEAR / 2 ? Fault.CLOCK_JUMPS_YEARS : Fault.CLOCK_JUMP);
        world.say(() -> "%s clock jumps by %d ms".formatted(name, by));
        skew += by;
    }

    @Override
    public String toString() {
        return name;
    }

    /** Runs what may crash a process, or may fail and end a link. */
    static void guarded(Runnable action, Runnable crash, Runnable failed) {
        try {
            action.run();
        } catch (Crash e) {
            crash.run();
        } catch (SkepException e) {
            failed.run();
        }
    }
}
