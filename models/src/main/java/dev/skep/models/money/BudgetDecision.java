package dev.skep.models.money;

import dev.skep.models.money.lease.LeaseDecision;
import java.time.Instant;

/** Whether a model may be asked. */
public sealed interface BudgetDecision {
    /**
     * The call may cost this much; the reservation ends when the call is over.
     *
     * @param leases what hubs have lent this host for it
     */
    record Reserved(long micros, LeaseDecision.Paid leases) implements BudgetDecision {}

    /**
     * Calls under way hold the money, some of which comes back when they are over; or a hub is
     * asked for more.
     */
    record Held(Instant askAgain) implements BudgetDecision {}

    /**
     * The call could pass a limit.
     *
     * @param reason for people and for the agent
     * @param until when it is worth asking again
     */
    record Refused(String reason, Instant until) implements BudgetDecision {}
}
