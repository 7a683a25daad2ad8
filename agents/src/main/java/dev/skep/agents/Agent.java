package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.store.feed.RowCodec;
import dev.skep.store.feed.RowColumns;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An AI persona, or an operator's mailbox: a row of {@code users}.
 *
 * @param hostName what people call its host; the id where the host's row has not arrived
 * @param path its file below the agents folder, null for a mailbox
 * @param lead the agent it works for, null for none
 * @param config the file's text with {@code ${…}} as written
 * @param nameConflict whether another host's agent holds this name
 * @param deletedAt set when removed: not started or mailed any more, its history stays
 * @param formerHosts who owned it before it was taken over
 * @param sameAs the agent of its host it turned out to be
 * @param configVersion the number of its file's newest version; 0 where none was recorded yet
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
        @Nullable String formerHosts,
        @Nullable String sameAs,
        long configVersion,
        Instant createdAt) {

    public static final RowCodec<Agent> ROWS =
            RowCodec.<Agent>of(AgentTables.USERS)
                    .column("id", agent -> agent.id().value())
                    .column("username", Agent::username)
                    .column("title", Agent::title)
                    .column("kind", agent -> agent.kind().stored())
                    .column("agent_path", Agent::path)
                    .column("lead_user_id", agent -> value(agent.lead()))
                    .column("config", Agent::config)
                    .column("name_conflict", Agent::nameConflict)
                    .column("deleted_at", Agent::deletedAt)
                    .column("former_hosts", Agent::formerHosts)
                    .column("same_as", Agent::sameAs)
                    .column("config_version", Agent::storedVersion)
                    .column("created_at", Agent::createdAt)
                    .reads(Agent::read);

    private static Agent read(RowColumns row) {
        String lead = row.textOrNull("lead_user_id");
        return new Agent(
                AgentId.stored(row.text("id")),
                new HostId(row.owner()),
                row.owner(),
                row.text("username"),
                row.textOrNull("title"),
                Kind.of(row.text("kind")),
                row.textOrNull("agent_path"),
                lead == null ? null : AgentId.stored(lead),
                row.textOrNull("config"),
                row.flag("name_conflict"),
                row.timeOrNull("deleted_at"),
                row.textOrNull("former_hosts"),
                row.textOrNull("same_as"),
                version(row.numberOrNull("config_version")),
                row.time("created_at"));
    }

    private static long version(@Nullable Long stored) {
        return stored == null ? 0 : stored;
    }

    private @Nullable Long storedVersion() {
        return configVersion == 0 ? null : configVersion;
    }

    private static @Nullable String value(@Nullable AgentId id) {
        return id == null ? null : id.value();
    }

    /** An agent that never had another host or id. */
    public Agent(
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
        this(
                id,
                host,
                hostName,
                username,
                title,
                kind,
                path,
                lead,
                config,
                nameConflict,
                deletedAt,
                null,
                null,
                0,
                createdAt);
    }

    /** The kinds of users. */
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

    /** The same with the current text of its file. */
    public Agent withConfig(@Nullable String text) {
        return with(hostName, text, deletedAt, formerHosts, sameAs, configVersion);
    }

    Agent withHostName(String name) {
        return with(name, config, deletedAt, formerHosts, sameAs, configVersion);
    }

    Agent withDeletedAt(@Nullable Instant instant) {
        return with(hostName, config, instant, formerHosts, sameAs, configVersion);
    }

    /** The same with the parts of its row that no file has. */
    Agent withPastOf(Agent row) {
        return with(
                hostName,
                config,
                deletedAt,
                row.formerHosts,
                row.sameAs,
                Math.max(configVersion, row.configVersion));
    }

    /** The same with the number of its file's newest version. */
    public Agent withConfigVersion(long number) {
        return with(hostName, config, deletedAt, formerHosts, sameAs, number);
    }

    private Agent with(
            String newHostName,
            @Nullable String newConfig,
            @Nullable Instant newDeletedAt,
            @Nullable String newFormerHosts,
            @Nullable String newSameAs,
            long newConfigVersion) {
        return new Agent(
                id,
                host,
                newHostName,
                username,
                title,
                kind,
                path,
                lead,
                newConfig,
                nameConflict,
                newDeletedAt,
                newFormerHosts,
                newSameAs,
                newConfigVersion,
                createdAt);
    }

    public boolean isLive() {
        return deletedAt == null;
    }

    /** The address that means this agent and no other. */
    public String fullAddress() {
        return username + "@" + hostName;
    }
}
