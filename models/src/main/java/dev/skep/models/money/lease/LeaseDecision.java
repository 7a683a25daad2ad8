package dev.skep.models.money.lease;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the leases of this host pay for a call. */
public sealed interface LeaseDecision {
    /**
     * They do.
     *
     * @param micros as much as was wanted, or what is left
     * @param leases those that pay, one of each budget that applies
     */
    record Paid(long micros, List<String> leases) implements LeaseDecision {
        public Paid {
            leases = List.copyOf(leases);
        }
    }

    /** A hub is asked for more. */
    record Asking() implements LeaseDecision {}

    /**
     * There is not enough.
     *
     * @param budget of which; null where a hub has not yet said which apply
     * @param why for people and for the agent
     * @param again after how many milliseconds it is worth asking again
     */
    record TooLittle(@Nullable LentBudget budget, String why, long again)
            implements LeaseDecision {}
}
