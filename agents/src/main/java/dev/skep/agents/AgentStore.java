package dev.skep.agents;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.RowCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table {@code users}. Removed agents are in every list: only starting and mailing ask. */
public final class AgentStore {
    private static final String SELECT =
            """
            SELECT %s, h.name AS host_name, h.name_conflict AS host_conflict
            FROM users u LEFT JOIN hosts h ON h.id = u.host_id AND h.org_id = u.org_id
            WHERE u.org_id = ?
            """
                    .formatted(Agent.ROWS.columns("u"));

    private final Database database;
    private final OwnRowWriter own;
    private final InstantSource clock;

    public AgentStore(Database database, OwnRowWriter own, InstantSource clock) {
        this.database = database;
        this.own = own;
        this.clock = clock;
    }

    public Optional<Agent> byId(Principal who, AgentId id) {
        return database.read(snapshot -> byId(snapshot, who, id));
    }

    public Optional<Agent> byId(Snapshot snapshot, Principal who, AgentId id) {
        return snapshot.first(
                SELECT + " AND u.id = ?", AgentStore::agent, who.org().value(), id.value());
    }

    /**
     * All rows of a name, on every host: the one that holds the name first, then this host's, then
     * the oldest.
     */
    public List<Agent> named(Snapshot snapshot, Principal who, String username) {
        return snapshot.list(
                SELECT
                        + """
                         AND u.username = ? AND u.same_as IS NULL
                        ORDER BY CASE
                            WHEN EXISTS (SELECT 1 FROM name_claims c WHERE c.org_id = u.org_id
                                AND c.table_name = 'users' AND c.name = u.username AND c.row_id = u.id) THEN 0
                            WHEN u.host_id = ? THEN 1 ELSE 2 END, u.id
                        """,
                AgentStore::agent,
                who.org().value(),
                username,
                own.self().value());
    }

    /** All agents of the org, by name; of two rows of one agent, one. */
    public List<Agent> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT + " AND u.same_as IS NULL ORDER BY u.username, u.id",
                                AgentStore::agent,
                                who.org().value()));
    }

    /** How many live agents each host of the org has. */
    public Map<HostId, Long> countsByHost(Principal who) {
        Map<HostId, Long> counts = new HashMap<>();
        database.read(
                        snapshot ->
                                snapshot.list(
                                        """
                                        SELECT host_id, count(*) AS n FROM users
                                        WHERE org_id = ? AND kind = 'agent' AND deleted_at IS NULL
                                            AND same_as IS NULL
                                        GROUP BY host_id
                                        """,
                                        row ->
                                                Map.entry(
                                                        new HostId(row.text("host_id")),
                                                        row.number("n")),
                                        who.org().value()))
                .forEach(each -> counts.put(each.getKey(), each.getValue()));
        return counts;
    }

    /** Those this host owns, by name, the oldest of a name first. */
    public List<Agent> onThisHost() {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT
                                        + """
                                         AND u.host_id = ? AND u.same_as IS NULL
                                        ORDER BY u.username, u.id
                                        """,
                                AgentStore::agent,
                                own.org().value(),
                                own.self().value()));
    }

    /** Live ones this host took over from another, by name. */
    public List<Agent> adopted() {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT
                                        + """
                                         AND u.host_id = ? AND u.gen > 0 AND u.deleted_at IS NULL
                                        ORDER BY u.username, u.id
                                        """,
                                AgentStore::agent,
                                own.org().value(),
                                own.self().value()));
    }

    /** Agents of this host, removed or not, that once belonged to another. */
    public Set<AgentId> takenOver() {
        return new HashSet<>(
                database.read(
                        snapshot ->
                                snapshot.list(
                                        "SELECT id FROM users WHERE org_id = ? AND host_id = ? AND gen > 0",
                                        row -> new AgentId(row.text("id")),
                                        own.org().value(),
                                        own.self().value())));
    }

    /** An agent of this name that another host has taken over. */
    public Optional<Agent> takenAway(String username) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                SELECT + " AND u.host_id <> ? AND u.gen > 0 AND u.username = ?",
                                AgentStore::agent,
                                own.org().value(),
                                own.self().value(),
                                username));
    }

    /** Stores an agent of this host, new or changed. */
    public void put(Agent agent) {
        database.write(
                transaction -> {
                    put(transaction, agent);
                    return true;
                });
    }

    /** Marks an agent of this host removed, or live again; false if it was so already. */
    public boolean setRemoved(AgentId id, boolean removed) {
        Principal self = new Principal.Local(own.org());
        return database.write(
                transaction -> {
                    Optional<Agent> found =
                            byId(transaction, self, id).filter(a -> a.isLive() == removed);
                    Instant deletedAt = removed ? clock.instant() : null;
                    found.ifPresent(a -> put(transaction, a.withDeletedAt(deletedAt)));
                    return found.isPresent();
                });
    }

    /** The same as part of a larger change. */
    public void put(Transaction transaction, Agent agent) {
        Principal self = new Principal.Local(own.org());
        Agent row = byId(transaction, self, agent.id()).map(agent::withPastOf).orElse(agent);
        putMoving(own, transaction, Agent.ROWS, agent.id(), row, clock.instant());
    }

    /**
     * Writes a row that goes with its agent when another host takes it over: it carries the agent's
     * generation, or the old owner's would outrank it. Nothing is written for an agent that belongs
     * to another host by now.
     */
    public static <R> void putMoving(
            OwnRowWriter own,
            Transaction transaction,
            RowCodec<R> codec,
            AgentId agent,
            R moving,
            Instant now) {
        Optional<AgentOwner> agentOwner =
                transaction.first(
                        "SELECT host_id, gen FROM users WHERE org_id = ? AND id = ?",
                        row -> new AgentOwner(row.text("host_id"), row.number("gen")),
                        own.org().value(),
                        agent.value());
        if (agentOwner.isEmpty() || agentOwner.get().host().equals(own.self().value())) {
            long gen = agentOwner.map(AgentOwner::gen).orElse(0L);
            own.putAll(transaction, codec, gen, List.of(moving), now);
        }
    }

    private record AgentOwner(String host, long gen) {}

    private static Agent agent(ResultRow row) {
        Agent agent = Agent.ROWS.read(row);
        String name = row.textOrNull("host_name");
        Long conflict = row.numberOrNull("host_conflict");
        return name == null
                ? agent
                : agent.withHostName(
                        HostNames.own(
                                name, conflict != null && conflict != 0, agent.host().value()));
    }
}
