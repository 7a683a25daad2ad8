package dev.skep.dispatch.budget;

import org.jspecify.annotations.Nullable;

/**
 * A part of a budget that was lent to a host.
 *
 * @param request the host's id of the request that it answers
 * @param spent what the host has reported to have spent of it
 * @param lasts milliseconds to its use-by
 * @param granted when, by the lending clock
 * @param returned when the host gave it back; null while it may still spend
 */
public record BudgetLease(
        String id,
        String budget,
        String host,
        String request,
        long amount,
        long spent,
        long lasts,
        long granted,
        @Nullable Long returned) {

    /** After so long nothing that was spent of it is in the window. */
    private long gone(long window) {
        return lasts + window;
    }

    /** What it takes of the budget: all of it while it is out, what was spent of it afterwards. */
    public long counts(long now, long window) {
        return freeIn(now, window) == 0 ? 0 : returned == null ? Math.max(amount, spent) : spent;
    }

    /** In how many milliseconds it takes nothing any more, if nothing more is heard of it. */
    public long freeIn(long now, long window) {
        long byUse = Math.max(0, gone(window) - (now - granted));
        return returned == null ? byUse : Math.min(byUse, Math.max(0, window - (now - returned)));
    }

    BudgetLease reported(long more, @Nullable Long back) {
        return new BudgetLease(
                id,
                budget,
                host,
                request,
                amount,
                Math.max(spent, more),
                lasts,
                granted,
                returned == null ? back : returned);
    }
}
