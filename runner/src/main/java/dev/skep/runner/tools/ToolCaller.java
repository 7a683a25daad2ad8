package dev.skep.runner.tools;

import dev.skep.agents.Agent;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;

/**
 * The agent that calls tools.
 *
 * @param longestWait how long a tool may wait before it answers that nothing came yet
 */
public record ToolCaller(
        Principal.Agent principal, Agent agent, ToolEffects effects, Duration longestWait) {
    /** Most programs give up a call after 60 seconds. */
    private static final Duration BEFORE_CLIENTS_GIVE_UP = Duration.ofSeconds(50);

    public ToolCaller(Principal.Agent principal, Agent agent, ToolEffects effects) {
        this(principal, agent, effects, BEFORE_CLIENTS_GIVE_UP);
    }
}
