package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes two rows of one agent of this host one again. What the one that goes has written becomes
 * the other's, here and at every hub. Mail that others send to it stays as they wrote it, since
 * only they may change it, and is addressed to the other as well.
 */
public final class AgentMergeStore {
    /** What this host writes for an agent, and the column that names it. */
    private static final Map<SyncTable, String> WRITTEN =
            Map.of(
                    AgentTables.CONTEXT_LOG, "user_id",
                    AgentTables.COSTS, "user_id",
                    AgentTables.RUN_SESSION, "user_id",
                    AgentTables.MAIL_STATUS, "user_id",
                    AgentTables.MAIL_RECIPIENTS, "user_id",
                    AgentTables.MAIL_MESSAGES, "from_user_id");

    private final Database database;
    private final OwnRowWriter own;
    private final UlidSource ids;
    private final InstantSource clock;

    public AgentMergeStore(
            Database database, OwnRowWriter own, UlidSource ids, InstantSource clock) {
        this.database = database;
        this.own = own;
        this.ids = ids;
        this.clock = clock;
    }

    /** Remembers that an agent was made although hubs might still give it back. */
    public void madeProvisionally(AgentId agent) {
        database.write(
                transaction ->
                        transaction.update(
                                """
                                INSERT INTO provisional_agents (user_id) VALUES (?)
                                ON CONFLICT (user_id) DO NOTHING
                                """,
                                agent.value()));
    }

    public Set<AgentId> provisional() {
        return new HashSet<>(
                database.read(
                        snapshot ->
                                snapshot.list(
                                        "SELECT user_id FROM provisional_agents",
                                        row -> new AgentId(row.text("user_id")))));
    }

    /** No hub is left that could give them back: those that were made are what they are. */
    public void settle() {
        database.write(transaction -> transaction.update("DELETE FROM provisional_agents"));
    }

    /** Makes agents of this host others of this host, from now on and for all they wrote. */
    public void merge(Map<AgentId, AgentId> others) {
        database.write(
                transaction -> {
                    others.forEach((from, into) -> merge(transaction, from, into));
                    return others.size();
                });
        completeAll();
    }

    private void merge(Transaction transaction, AgentId from, AgentId into) {
        Instant now = clock.instant();
        transaction.update(
                """
                UPDATE users SET same_as = ?, deleted_at = coalesce(deleted_at, ?), updated_at = ?
                WHERE org_id = ? AND host_id = ? AND (id = ? OR same_as = ?)
                """,
                into.value(),
                now,
                now,
                own.org().value(),
                own.self().value(),
                from.value(),
                from.value());
        own.restamp(transaction, AgentTables.USERS, "same_as = ?", into.value());
        transaction.update("DELETE FROM provisional_agents WHERE user_id = ?", from.value());
    }

    /** Also what was written while they became one, or came back from a hub since. */
    public void completeAll() {
        Map<AgentId, AgentId> all = database.read(this::reunited);
        if (!all.isEmpty()) {
            database.write(
                    transaction -> {
                        all.forEach((from, into) -> complete(transaction, from, into));
                        return all.size();
                    });
            readdress();
        }
    }

    private Map<AgentId, AgentId> reunited(Snapshot snapshot) {
        Map<AgentId, AgentId> all = new HashMap<>();
        snapshot.list(
                """
                SELECT id, same_as FROM users
                WHERE org_id = ? AND host_id = ? AND same_as IS NOT NULL
                """,
                row ->
                        all.put(new AgentId(row.text("id")), new AgentId(row.text("same_as")))
                                == null,
                own.org().value(),
                own.self().value());
        return all;
    }

    private void complete(Transaction transaction, AgentId from, AgentId into) {
        for (SyncTable keyed : List.of(AgentTables.MAIL_STATUS, AgentTables.RUN_SESSION)) {
            dropKnown(transaction, keyed, from, into);
        }
        WRITTEN.forEach(
                (table, column) -> {
                    // New stamps first: it is by the old name that the rows are found.
                    if (own.restamp(transaction, table, column + " = ?", from.value()) > 0) {
                        transaction.update(
                                "UPDATE %1$s SET %2$s = ? WHERE org_id = ? AND host_id = ? AND %2$s = ?"
                                        .formatted(table.name(), column),
                                into.value(),
                                own.org().value(),
                                own.self().value(),
                                from.value());
                    }
                });
    }

    /** Rows whose key names the agent: what the other has already is not there twice. */
    private void dropKnown(Transaction transaction, SyncTable table, AgentId from, AgentId into) {
        String same =
                String.join(
                        " AND ",
                        table.key().stream()
                                .filter(column -> !column.equals("user_id"))
                                .map(column -> "o.%1$s = %2$s.%1$s".formatted(column, table.name()))
                                .toList());
        transaction.update(
                """
                DELETE FROM %1$s WHERE org_id = ? AND host_id = ? AND user_id = ?
                    AND EXISTS (SELECT 1 FROM %1$s o WHERE o.user_id = ? AND %2$s)
                """
                        .formatted(table.name(), same),
                own.org().value(),
                own.self().value(),
                from.value(),
                into.value());
    }

    private record Misaddressed(String message, String into, String type) {}

    /**
     * Readdresses mail of other hosts to the agent it is for now; returns the number of messages.
     */
    public int readdress() {
        if (database.read(this::misaddressed).isEmpty()) {
            return 0;
        }
        String time = Timestamps.format(clock.instant());
        return database.write(
                transaction -> {
                    List<@Nullable Object[]> rows = new ArrayList<>();
                    for (Misaddressed mail : misaddressed(transaction)) {
                        rows.add(
                                AgentTables.MAIL_RECIPIENTS.values(
                                        "id, message_id, user_id, type, created_at, updated_at",
                                        ids.next(),
                                        mail.message(),
                                        mail.into(),
                                        mail.type(),
                                        time,
                                        time));
                    }
                    own.putAll(transaction, AgentTables.MAIL_RECIPIENTS, 0, rows);
                    return rows.size();
                });
    }

    private List<Misaddressed> misaddressed(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT r.message_id, u.same_as, min(r.type) AS type
                FROM users u JOIN mail_recipients r ON r.user_id = u.id
                WHERE u.org_id = ? AND u.host_id = ? AND u.same_as IS NOT NULL AND r.org_id = u.org_id
                    AND NOT EXISTS (SELECT 1 FROM mail_recipients o
                        WHERE o.message_id = r.message_id AND o.user_id = u.same_as)
                GROUP BY r.message_id, u.same_as
                """,
                row ->
                        new Misaddressed(
                                row.text("message_id"), row.text("same_as"), row.text("type")),
                own.org().value(),
                own.self().value());
    }
}
