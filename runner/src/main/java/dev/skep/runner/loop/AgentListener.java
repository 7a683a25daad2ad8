package dev.skep.runner.loop;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry;

/** Sees what agents do as they do it; called on the agents' threads, must not block. */
public interface AgentListener {
    AgentListener NOBODY = new AgentListener() {};

    /** A line was stored. */
    default void logged(Agent agent, LogEntry entry) {}

    /** An agent's status changed. */
    default void changed(Agent agent, AgentStatus status, String why) {}

    /** Another host's agent had its name first. */
    default void nameTaken(Agent agent, String words) {}

    /** Something about the host itself that its people should know. */
    default void told(String line) {}

    /** A piece of a reply that is still being written. */
    default void writing(Agent agent, String piece) {}
}
