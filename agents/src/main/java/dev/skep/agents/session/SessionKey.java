package dev.skep.agents.session;

import dev.skep.kernel.id.AgentId;
import dev.skep.store.feed.RowColumns;

/**
 * Names one session of one run of an agent.
 *
 * @param run a ULID: a host that adopts an agent must not reuse one
 * @param session counts from 1 within the run
 */
public record SessionKey(AgentId agent, String run, int session) {
    /** The session that a row belongs to. */
    public static SessionKey read(RowColumns row) {
        return new SessionKey(
                AgentId.stored(row.text("user_id")),
                row.text("run_id"),
                Integer.parseInt(row.text("session_id")));
    }

    public SessionKey next() {
        return new SessionKey(agent, run, session + 1);
    }
}
