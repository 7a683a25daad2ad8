package dev.skep.supervisor.source;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Optional;

/** Steers agents wherever they run: here directly, elsewhere by a command their host executes. */
public interface AgentControls {
    /** What an operator can ask of an agent. */
    enum Action {
        START,
        STOP,
        PAUSE,
        RESUME,
        /** Ends the turn it is in; it waits for a word. */
        CANCEL,
        /** Sends it a message; the text is the message. */
        TALK,
        /** Gives it another name; the text is which. */
        RENAME
    }

    /** What came of asking. */
    sealed interface Outcome {
        /** It is done. */
        record Done() implements Outcome {}

        /** The agent's host will do it; the job shows when. */
        record Queued(String job) implements Outcome {}

        /** It cannot be done, and why. */
        record Refused(String problem) implements Outcome {}
    }

    Outcome act(Actor actor, AgentId agent, Action action, String text);

    /**
     * The same for many, with an answer for each, in order: a refusal of one keeps no other from
     * it.
     */
    default List<Outcome> actAll(Actor actor, List<AgentId> agents, Action action, String text) {
        return agents.stream()
                .map(
                        agent -> {
                            try {
                                return act(actor, agent, action, text);
                            } catch (SkepException refused) {
                                return new Outcome.Refused(String.valueOf(refused.getMessage()));
                            }
                        })
                .toList();
    }

    /** What became of a job that was queued for this; empty while its host has not done it. */
    default Optional<Outcome> ended(Principal who, String job) {
        return Optional.empty();
    }
}
