package dev.skep.simulation.money;

import dev.skep.store.clock.ClockReading;

/** The clocks of one machine. */
final class SimulatedClock {
    private static final long FIRST = 1_000_000_000_000L;

    private final String machine;
    private final double speed;
    private double wall = FIRST;
    private double boot = 60_000;
    private int boots = 1;

    /**
     * A machine that has been up for a minute.
     *
     * @param speed below one for clocks that run slow
     */
    SimulatedClock(String machine, double speed) {
        this.machine = machine;
        this.speed = speed;
    }

    void passes(long millis) {
        wall += millis * speed;
        boot += millis * speed;
    }

    /** Stands still for some time and has its wall clock put right afterwards. */
    void paused(long millis) {
        wall += millis;
    }

    void set(long by) {
        wall += by;
    }

    void reboot(long off, long setBy) {
        wall += off + setBy;
        boot = 5_000;
        boots++;
    }

    ClockReading read() {
        return new ClockReading((long) wall, (long) boot, machine + "-" + boots);
    }
}
