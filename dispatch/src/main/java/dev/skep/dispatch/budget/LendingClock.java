package dev.skep.dispatch.budget;

import dev.skep.store.clock.ClockReading;

/**
 * How long a hub's machine was seen to be up, in milliseconds. While it is off nothing is counted:
 * only the wall clock could tell how long that was, and a hub that believed a wrong one would lend
 * money twice. So time passes never faster than it does, and money is freed late rather than early.
 *
 * @param read the clocks when {@code age} was last counted
 */
public record LendingClock(long age, ClockReading read) {
    public LendingClock at(ClockReading now) {
        long passed = now.isSameBootAs(read) ? now.boot() - read.boot() : 0;
        return new LendingClock(age + passed, now);
    }

    /** Another process on the same database has come further. */
    LendingClock orFurther(long other) {
        return other > age ? new LendingClock(other, read) : this;
    }
}
