package dev.skep.models.money.lease;

import dev.skep.store.clock.ClockReading;

/**
 * Money that a hub has lent this host for a time.
 *
 * @param amount what may be spent of it
 * @param spent what was spent, with the most that calls under way can cost
 * @param lasts milliseconds from when it was asked for to its use-by
 * @param used how much of them has passed, by whichever clock moved further
 * @param rested how long it has been over, by whichever clock moved less
 * @param read the clocks when {@code used} was last counted
 * @param wallWas the highest wall time seen since the lease was asked for
 */
public record HeldLease(
        String id,
        BudgetKey key,
        long amount,
        long spent,
        long lasts,
        long used,
        long rested,
        ClockReading read,
        long wallWas,
        State state) {

    /** A wall clock that is put right by less than this has not stepped back. */
    static final long STEP = 1_000;

    /** What becomes of it, in this order. */
    public enum State {
        /** Calls may begin. */
        OPEN,
        /** Calls under way end; none begins. */
        DRAINING,
        /** It is returned to the hub with what was spent. */
        CLOSED,
        /** The hub has taken it back. */
        SETTLED
    }

    static HeldLease granted(
            String id, BudgetKey key, long amount, long lasts, ClockReading asked) {
        return new HeldLease(id, key, amount, 0, lasts, 0, 0, asked, asked.wall(), State.OPEN);
    }

    /**
     * Counts the time until now. Where the clocks cannot tell how much it was, because the wall
     * clock has stepped back or the machine has started anew, the lease is over.
     */
    HeldLease at(ClockReading now) {
        long byWall = Math.max(0, now.wall() - read.wall());
        boolean sameBoot = now.isSameBootAs(read);
        long byBoot = sameBoot ? now.boot() - read.boot() : 0;
        boolean unknown = !sameBoot || now.wall() < wallWas - STEP;
        boolean over = state == State.CLOSED || state == State.SETTLED;
        long slower = sameBoot ? Math.min(byWall, byBoot) : 0;
        HeldLease counted =
                new HeldLease(
                        id,
                        key,
                        amount,
                        spent,
                        lasts,
                        unknown && !over ? lasts : used + Math.max(byWall, byBoot),
                        over ? rested + slower : 0,
                        now,
                        Math.max(now.wall(), over ? now.wall() : wallWas),
                        state);
        return counted.state == State.OPEN && counted.isPastUse()
                ? counted.as(State.DRAINING)
                : counted;
    }

    /** A tenth early, for a clock that runs slow. */
    private boolean isPastUse() {
        return used >= lasts / 10 * 9;
    }

    /** What a call may still take. */
    long spendable() {
        return state == State.OPEN ? Math.max(0, amount - spent) : 0;
    }

    /**
     * Whether it is time to ask for the next one: half of its time or most of its money is gone.
     */
    boolean isRunningOut() {
        return spent > 0 && (used >= lasts / 20 * 9 || spendable() < amount / 4);
    }

    HeldLease spending(long micros) {
        return new HeldLease(
                id, key, amount, spent + micros, lasts, used, rested, read, wallWas, state);
    }

    HeldLease as(State next) {
        return new HeldLease(id, key, amount, spent, lasts, used, rested, read, wallWas, next);
    }
}
