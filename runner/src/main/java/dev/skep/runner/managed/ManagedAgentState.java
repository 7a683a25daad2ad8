package dev.skep.runner.managed;

import dev.skep.agents.AgentStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of a managed agent; see the package's drawing. */
sealed interface ManagedAgentState {
    /** As others see it. */
    default AgentStatus status() {
        return AgentStatus.ACTIVE;
    }

    /** Looks whether there is something to say to it. */
    record Ready() implements ManagedAgentState {}

    /** Something is to be said to it. */
    record Turning(TurnInput brief) implements ManagedAgentState {}

    /** Nothing to say. */
    record Waiting() implements ManagedAgentState {
        @Override
        public AgentStatus status() {
            return AgentStatus.WAITING;
        }
    }

    record BackingOff(ManagedAgentState then, Instant until, String why)
            implements ManagedAgentState {
        @Override
        public AgentStatus status() {
            return AgentStatus.BACKING_OFF;
        }
    }

    record OverBudget(Instant until, String why) implements ManagedAgentState {
        @Override
        public AgentStatus status() {
            return AgentStatus.OVER_BUDGET;
        }
    }

    /**
     * Waits for a person.
     *
     * @param status {@code PAUSED}, or {@code FAILED} if it cannot go on by itself
     */
    record Held(ManagedAgentState then, AgentStatus status, String why)
            implements ManagedAgentState {}

    /**
     * Over.
     *
     * @param reason stored with the session; null leaves it open for the next start
     */
    record Ended(@Nullable String reason) implements ManagedAgentState {
        @Override
        public AgentStatus status() {
            return AgentStatus.STOPPED;
        }
    }
}
