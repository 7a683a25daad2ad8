package dev.skep.agents;

import java.util.Locale;

/** What an agent is doing, as coarse as other hosts need it; the stored form is lower case. */
public enum AgentStatus {
    /** Asking its model or running commands. */
    ACTIVE,
    /** Waiting for mail or for a time. */
    WAITING,
    /** Paused by an operator, by its file, or because it repeated itself. */
    PAUSED,
    /** A command waits for an operator's yes. */
    AWAITING_APPROVAL,
    /** The model's provider failed; it will be asked again. */
    BACKING_OFF,
    /** A spend limit is reached. */
    OVER_BUDGET,
    /** All agents of its host are stopped; it goes on from here when that is lifted. */
    HELD,
    /** Not running: never started, stopped, or its session is complete. */
    STOPPED,
    /** Cannot go on without a person. */
    FAILED;

    public String stored() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads a stored status; one a newer version wrote counts as stopped. */
    public static AgentStatus of(String stored) {
        for (AgentStatus status : values()) {
            if (status.stored().equals(stored)) {
                return status;
            }
        }
        return STOPPED;
    }
}
