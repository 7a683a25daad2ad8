package dev.skep.store.clock;

import java.time.Duration;

/**
 * How far a retention clock has advanced, and what is known of the wall clock beside it. All in
 * milliseconds.
 *
 * @param at how long the database has been at work
 * @param highest the latest wall time that was ever read, 0 for none
 * @param held time the wall clock has jumped over that was not counted
 */
public record RetentionClockState(long at, long highest, long held) {
    public static final RetentionClockState NEW = new RetentionClockState(0, 0, 0);

    /**
     * A process begins: what the wall clock says beyond all it ever said has passed, but no more
     * than so much at once. One that goes back and forth counts nothing twice.
     */
    public RetentionClockState resumed(long wall, Duration most) {
        long passed = highest == 0 ? 0 : Math.max(0, wall - highest);
        long counted = Math.min(passed, most.toMillis());
        return new RetentionClockState(
                at + counted, Math.max(highest, wall), held + passed - counted);
    }

    /** A process goes on: monotonic time alone has moved the clock there. */
    public RetentionClockState movedTo(long reached, long wall) {
        return new RetentionClockState(Math.max(at, reached), Math.max(highest, wall), held);
    }

    /** What the clock said so long ago: what ended by then has been kept for long enough. */
    public long before(Duration keep) {
        return at - keep.toMillis();
    }

    /** An operator says that the time jumped over did pass. */
    public RetentionClockState counted() {
        return new RetentionClockState(at + held, highest, 0);
    }

    /** An operator says that it did not. */
    public RetentionClockState dismissed() {
        return new RetentionClockState(at, highest, 0);
    }
}
