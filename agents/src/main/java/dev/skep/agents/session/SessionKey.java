package dev.skep.agents.session;

import dev.skep.kernel.id.AgentId;

/**
 * Names one session of one run of an agent.
 *
 * @param run a ULID: a host that adopts an agent must not reuse one
 * @param session counts from 1 within the run
 */
public record SessionKey(AgentId agent, String run, int session) {
    public SessionKey next() {
        return new SessionKey(agent, run, session + 1);
    }
}
