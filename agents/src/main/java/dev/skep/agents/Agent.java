package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An AI persona, or an operator's mailbox: a row of {@code users}.
 *
 * @param hostName what people call its host; the id where the host's row has not arrived
 * @param path its file below the agents folder, null for a mailbox
 * @param lead whom it works for, null for nobody
 * @param config the file's text with {@code ${…}} as written
 * @param nameConflict whether another host's agent holds this name
 * @param deletedAt set when removed: not started or mailed any more, its history stays
 */
public record Agent(
        AgentId id,
        HostId host,
        String hostName,
        String username,
        @Nullable String title,
        Kind kind,
        @Nullable String path,
        @Nullable AgentId lead,
        @Nullable String config,
        boolean nameConflict,
        @Nullable Instant deletedAt,
        Instant createdAt) {

    /** Who is behind a name. */
    public enum Kind {
        AGENT("agent"),
        OPERATOR("operator");

        private final String stored;

        Kind(String stored) {
            this.stored = stored;
        }

        public String stored() {
            return stored;
        }

        static Kind of(String stored) {
            return stored.equals(OPERATOR.stored) ? OPERATOR : AGENT;
        }
    }

    public boolean isLive() {
        return deletedAt == null;
    }

    /** The address that means this agent and no other. */
    public String fullAddress() {
        return username + "@" + hostName;
    }
}
