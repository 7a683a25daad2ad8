package dev.skep.models.money;

import java.time.Instant;

/** Whether a model may be asked. */
public sealed interface BudgetDecision {
    /** The call may cost this much; the reservation ends when the call is over. */
    record Reserved(long micros) implements BudgetDecision {}

    /** Calls under way hold the money; some of it comes back when they are over. */
    record Held(Instant askAgain) implements BudgetDecision {}

    /**
     * The call could pass a limit.
     *
     * @param reason for people and for the agent
     * @param until when it is worth asking again
     */
    record Refused(String reason, Instant until) implements BudgetDecision {}
}
