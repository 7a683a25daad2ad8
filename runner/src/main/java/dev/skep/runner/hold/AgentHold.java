package dev.skep.runner.hold;

import java.time.Instant;

/**
 * All agents of this host are to stand still.
 *
 * @param holder the address of the hub that wants it, or {@link #OWNER}
 * @param id what the holder knows it by
 * @param by who asked for it, for people
 * @param reason why, for people; may be empty
 * @param lifted whether this host's owner has lifted it: it is remembered so that it does not come
 *     back
 */
public record AgentHold(
        String holder, String id, String by, String reason, Instant since, boolean lifted) {
    /** The holder that is nobody but this host's own command line. */
    public static final String OWNER = "";

    /** What people read who want an agent to work. */
    String words() {
        return "all agents here were stopped by %s%s%s; 'skep agents stop-all --undo --here' lifts it on this host"
                .formatted(
                        by,
                        holder.equals(OWNER) ? "" : " at " + holder,
                        reason.isEmpty() ? "" : " (" + reason + ")");
    }
}
