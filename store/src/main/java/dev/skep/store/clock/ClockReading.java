package dev.skep.store.clock;

/**
 * What the clocks of a machine say at one moment, for time that must not be cheated.
 *
 * @param wall the time of day, which can be set
 * @param boot milliseconds since the machine started, with those that it slept
 * @param bootId which start of the machine {@code boot} counts from; readings of different starts
 *     cannot be compared by it
 */
public record ClockReading(long wall, long boot, String bootId) {
    /** Whether the machine has not started anew since an earlier reading. */
    public boolean isSameBootAs(ClockReading earlier) {
        return bootId.equals(earlier.bootId) && boot >= earlier.boot;
    }
}
