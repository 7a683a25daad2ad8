package dev.skep.runner.loop;

import dev.skep.agents.AgentStatus;
import dev.skep.models.CommandCall;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of an agent's loop; see the package's drawing. */
sealed interface AgentLoopState {
    /** As others see it. */
    default AgentStatus status() {
        return AgentStatus.ACTIVE;
    }

    /** The commands of the agent's own file that have not run yet. */
    record Starting(List<CommandCall> commands) implements AgentLoopState {}

    record Prompting() implements AgentLoopState {}

    /**
     * A model is asked.
     *
     * @param prompt what this turn begins with; stored with the reply
     * @param failures how often the provider has failed in a row
     */
    record Asking(String prompt, int failures) implements AgentLoopState {}

    /** The commands of a reply that have not run yet, in order. */
    record Acting(List<CommandCall> commands) implements AgentLoopState {}

    record Compacting(int failures) implements AgentLoopState {}

    /**
     * Nothing to do.
     *
     * @param until null for as long as it takes
     */
    record Waiting(@Nullable Instant until, boolean forMail) implements AgentLoopState {
        @Override
        public AgentStatus status() {
            return AgentStatus.WAITING;
        }
    }

    record BackingOff(AgentLoopState then, Instant until, String why) implements AgentLoopState {
        @Override
        public AgentStatus status() {
            return AgentStatus.BACKING_OFF;
        }
    }

    record OverBudget(AgentLoopState then, Instant until, String why) implements AgentLoopState {
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
    record Held(AgentLoopState then, AgentStatus status, String why) implements AgentLoopState {}

    /**
     * Over.
     *
     * @param reason stored with the session; null leaves it open for the next start
     */
    record Ended(@Nullable String reason) implements AgentLoopState {
        @Override
        public AgentStatus status() {
            return AgentStatus.STOPPED;
        }
    }
}
