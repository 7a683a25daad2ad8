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
     * A process starts: the time by which the wall clock is beyond its highest reading has passed,
     * up to a limit. A clock that goes back and forth counts nothing twice.
     */
    public RetentionClockState resumed(long wall, Duration most) {
        long passed = highest == 0 ? 0 : Math.max(0, wall - highest);
        long counted = Math.min(passed, most.toMillis());
        return new RetentionClockState(
                at + counted, Math.max(highest, wall), held + passed - counted);
    }

    /** A process continues: monotonic time alone has moved the clock. */
    public RetentionClockState movedTo(long reached, long wall) {
        return new RetentionClockState(Math.max(at, reached), Math.max(highest, wall), held);
    }

    /** The reading this long ago: what ended by then has been kept for long enough. */
    public long before(Duration keep) {
        return at - keep.toMillis();
    }

    /** An operator confirms that the skipped time did pass. */
    public RetentionClockState counted() {
        return new RetentionClockState(at + held, highest, 0);
    }

    /** An operator decides that it did not. */
    public RetentionClockState dismissed() {
        return new RetentionClockState(at, highest, 0);
    }
}
