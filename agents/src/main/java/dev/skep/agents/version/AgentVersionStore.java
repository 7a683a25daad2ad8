package dev.skep.agents.version;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The tables {@code agent_versions} and {@code agent_changes}. */
public final class AgentVersionStore {
    private static final String SELECT =
            "SELECT %s FROM agent_versions WHERE org_id = ?".formatted(AgentVersion.ROWS.columns());

    private static final String CHANGED_HERE = "changed on the host";
    private static final String CAME_HERE = "taken over by this host";

    private final Database database;
    private final OwnRowWriter own;
    private final AgentStore agents;
    private final InstantSource clock;

    public AgentVersionStore(
            Database database, OwnRowWriter own, AgentStore agents, InstantSource clock) {
        this.database = database;
        this.own = own;
        this.agents = agents;
        this.clock = clock;
    }

    /** The versions that are kept, the newest first, without their texts. */
    public List<AgentVersion> of(Principal who, AgentId agent) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                "SELECT %s FROM agent_versions v WHERE org_id = ? AND user_id = ? ORDER BY number DESC LIMIT ?"
                                        .formatted(
                                                AgentVersion.ROWS.columns(
                                                        "v", Map.of("content", "''"))),
                                AgentVersion.ROWS::read,
                                who.org().value(),
                                agent.value(),
                                AgentVersion.KEPT));
    }

    public Optional<AgentVersion> find(Principal who, AgentId agent, long number) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                SELECT + " AND user_id = ? AND number = ?",
                                AgentVersion.ROWS::read,
                                who.org().value(),
                                agent.value(),
                                number));
    }

    public Optional<AgentVersion> newest(Principal who, AgentId agent) {
        return database.read(snapshot -> newest(snapshot, who, agent));
    }

    private static Optional<AgentVersion> newest(Snapshot snapshot, Principal who, AgentId agent) {
        return snapshot.first(
                SELECT + " AND user_id = ? ORDER BY number DESC LIMIT 1",
                AgentVersion.ROWS::read,
                who.org().value(),
                agent.value());
    }

    /** The hashes of the newest versions of this host's agents. */
    public Map<AgentId, String> newestHashes() {
        Map<AgentId, String> hashes = new HashMap<>();
        database.read(
                        snapshot ->
                                snapshot.list(
                                        """
                                        SELECT v.user_id, v.hash FROM agent_versions v
                                        JOIN users u ON u.id = v.user_id AND u.config_version = v.number
                                        WHERE u.org_id = ? AND u.host_id = ?
                                        """,
                                        row ->
                                                Map.entry(
                                                        AgentId.stored(row.text("user_id")),
                                                        row.text("hash")),
                                        own.org().value(),
                                        own.self().value()))
                .forEach(each -> hashes.put(each.getKey(), each.getValue()));
        return hashes;
    }

    /**
     * Stores an agent of this host with the present text of its file, as a new version if it is
     * another text, in one transaction.
     *
     * @param redacted what the text of the newest version would be by what is known to be secret
     *     now: a secret that was learned since makes no version
     * @param change what was announced for the file, if this is it
     */
    public void store(
            Agent agent,
            String content,
            UnaryOperator<String> redacted,
            Optional<FileChange> change) {
        database.write(
                transaction -> {
                    long number = recorded(transaction, agent, content, redacted, change);
                    agents.put(transaction, agent.withConfigVersion(number));
                    change.ifPresent(each -> end(transaction, each.path()));
                    return number;
                });
    }

    private long recorded(
            Transaction transaction,
            Agent agent,
            String content,
            UnaryOperator<String> redacted,
            Optional<FileChange> change) {
        Principal self = new Principal.Local(own.org());
        String hash = AgentVersion.hash(content);
        Optional<AgentVersion> newest = newest(transaction, self, agent.id());
        if (newest.filter(each -> each.hash().equals(hash)).isPresent()) {
            return newest.get().number();
        }
        boolean same = newest.filter(v -> redacted.apply(v.content()).equals(content)).isPresent();
        long known =
                Math.max(
                        newest.map(AgentVersion::number).orElse(0L),
                        agents.byId(transaction, self, agent.id())
                                .map(Agent::configVersion)
                                .orElse(0L));
        AgentVersion version =
                same
                        ? newest.get().withContent(content)
                        : new AgentVersion(
                                agent.id(),
                                known + 1,
                                hash,
                                change.map(FileChange::author).orElse(null),
                                change.map(FileChange::hub).orElse(null),
                                reason(change, newest.isPresent(), known),
                                change.map(FileChange::changeId).orElse(null),
                                content,
                                clock.instant());
        AgentStore.putMoving(
                own, transaction, AgentVersion.ROWS, agent.id(), version, clock.instant());
        return version.number();
    }

    private static @Nullable String reason(
            Optional<FileChange> change, boolean isKnownHere, long known) {
        if (change.isPresent()) {
            return change.get().reason();
        }
        if (known == 0) {
            return null;
        }
        return isKnownHere ? CHANGED_HERE : CAME_HERE;
    }

    /** Announces what is about to be written into a file. */
    public void begin(FileChange change) {
        database.write(
                transaction -> {
                    end(transaction, change.path());
                    return transaction.update(
                            """
                            INSERT INTO agent_changes
                                (org_id, path, hash, user_id, author, hub, reason, change_id)
                            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                            """,
                            own.org().value(),
                            change.path(),
                            change.hash(),
                            change.agent().value(),
                            change.author(),
                            change.hub(),
                            change.reason(),
                            change.changeId());
                });
    }

    /** What was announced and may or may not have been written, by the files' paths. */
    public Map<String, FileChange> announced() {
        Map<String, FileChange> changes = new HashMap<>();
        database.read(
                        snapshot ->
                                snapshot.list(
                                        """
                                        SELECT path, hash, user_id, author, hub, reason, change_id
                                        FROM agent_changes WHERE org_id = ?
                                        """,
                                        AgentVersionStore::change,
                                        own.org().value()))
                .forEach(each -> changes.put(each.path(), each));
        return changes;
    }

    private static FileChange change(ResultRow row) {
        return new FileChange(
                row.text("path"),
                row.text("hash"),
                AgentId.stored(row.text("user_id")),
                row.textOrNull("author"),
                row.textOrNull("hub"),
                row.textOrNull("reason"),
                row.textOrNull("change_id"));
    }

    /** Forgets what was announced for a file. */
    public void end(String path) {
        database.write(transaction -> end(transaction, path));
    }

    private int end(Transaction transaction, String path) {
        return transaction.update(
                "DELETE FROM agent_changes WHERE org_id = ? AND path = ?", own.org().value(), path);
    }
}
