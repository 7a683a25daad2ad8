package dev.skep.dispatch.budget;

import org.jspecify.annotations.Nullable;

/**
 * Whether a hub may lend. One that may have forgotten leases is closed until each of its hosts has
 * told what it holds, or until every forgotten lease must be over.
 *
 * @param closing the id of the closing, which hosts repeat; null while it is open
 * @param why for people
 * @param since when it closed, by the lending clock
 */
public record LenderGate(@Nullable String closing, String why, long since) {
    public static final LenderGate OPEN = new LenderGate(null, "", 0);

    boolean isClosed() {
        return closing != null;
    }

    /** Leases of a budget that were forgotten and may still count. */
    boolean holdsUp(SharedBudget budget, long now) {
        return closing != null && now - since < budget.lasts() + budget.window().toMillis();
    }
}
