package dev.skep.runner.approval;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Fields;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The local table {@code approvals}. */
public final class ApprovalStore {
    private static final String SELECT =
            """
            SELECT id, user_id, command, requested_at, expires_at, decision, decided_by
            FROM approvals WHERE org_id = ?
            """;

    private final Database database;

    public ApprovalStore(Database database) {
        this.database = database;
    }

    /** Stores a pending approval; one that is stored already stays as it is. */
    public void request(Principal who, Approval approval) {
        database.write(
                transaction ->
                        transaction.update(
                                """
                                INSERT INTO approvals
                                    (id, org_id, user_id, command, requested_at, expires_at, decision)
                                VALUES (?, ?, ?, ?, ?, ?, 'pending') ON CONFLICT (id) DO NOTHING
                                """,
                                approval.id(),
                                who.org().value(),
                                approval.agent().value(),
                                approval.command(),
                                approval.requestedAt(),
                                approval.expiresAt()));
    }

    /** Forgets what was decided before a time; it stands in the agent's log as well. */
    public int forget(Instant before) {
        return database.write(
                transaction ->
                        transaction.update("DELETE FROM approvals WHERE decided_at < ?", before));
    }

    /** Decides once; false if there is no such approval or somebody was faster. */
    public boolean decide(
            Principal who, String id, Approval.Decision decision, String by, Instant at) {
        return database.write(
                transaction ->
                        transaction.update(
                                        """
                                        UPDATE approvals SET decision = ?, decided_by = ?, decided_at = ?
                                        WHERE org_id = ? AND id = ? AND decision = 'pending'
                                        """,
                                        decision.stored(),
                                        by,
                                        at,
                                        who.org().value(),
                                        id)
                                == 1);
    }

    public Optional<Approval> find(Principal who, String id) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                SELECT + " AND id = ?",
                                ApprovalStore::approval,
                                who.org().value(),
                                id));
    }

    /** Those that wait, the oldest first. */
    public List<Approval> pending(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT + " AND decision = 'pending' ORDER BY id",
                                ApprovalStore::approval,
                                who.org().value()));
    }

    /** The newest first, decided ones too. */
    public List<Approval> recent(Principal who, int limit) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT + " ORDER BY id DESC LIMIT ?",
                                ApprovalStore::approval,
                                who.org().value(),
                                limit));
    }

    private static Approval approval(Fields row) {
        return new Approval(
                row.text("id"),
                new AgentId(row.text("user_id")),
                row.text("command"),
                row.time("requested_at"),
                row.time("expires_at"),
                Approval.Decision.of(row.text("decision")),
                row.textOrNull("decided_by"));
    }
}
