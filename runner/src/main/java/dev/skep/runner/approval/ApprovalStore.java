package dev.skep.runner.approval;

import dev.skep.agents.session.DecisionLine;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.operator.CallerName;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The local table {@code approvals}. */
public final class ApprovalStore {
    private static final String SELECT =
            """
            SELECT id, user_id, command, requested_at, expires_at, decision, decided_by,
                   decided_through, decided_at
            FROM approvals WHERE org_id = ?
            """;

    private final Database database;
    private final AuditStore audit;

    public ApprovalStore(Database database, AuditStore audit) {
        this.database = database;
        this.audit = audit;
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

    /** Forgets what was decided so long ago; it stands in the agent's log as well. */
    public int forget(Duration keep) {
        return database.write(
                transaction ->
                        transaction.update(
                                "DELETE FROM approvals WHERE decided_at IS NOT NULL AND ages_from <= ?",
                                RetentionClock.read(transaction).before(keep)));
    }

    /** Decides once; false if there is no such approval or somebody was faster. */
    public boolean decide(Decider who, ApprovalId id, Approval.Decision decision, Instant at) {
        return database.write(
                transaction -> {
                    String by =
                            who.told()
                                    .map(Decider.ReportedDecider::by)
                                    .orElseGet(
                                            () ->
                                                    CallerName.of(
                                                            transaction, who.actor().principal()));
                    String through = who.told().map(Decider.ReportedDecider::hub).orElse(null);
                    boolean decided =
                            decide(
                                    transaction,
                                    who.actor().org(),
                                    id.value(),
                                    decision,
                                    by,
                                    through,
                                    at);
                    if (decided) {
                        audit.record(
                                transaction,
                                who.actor(),
                                "command_" + decision.stored(),
                                "approval:" + id,
                                Map.of("by", DecisionLine.decider(by, through)));
                    }
                    return decided;
                });
    }

    /** Denies what nobody decided in time. */
    void expire(Principal who, String id, Instant at) {
        database.write(
                transaction ->
                        decide(
                                transaction,
                                who.org(),
                                id,
                                Approval.Decision.DENIED,
                                Approval.NOBODY,
                                null,
                                at));
    }

    private static boolean decide(
            Transaction transaction,
            OrgId org,
            String id,
            Approval.Decision decision,
            String by,
            @Nullable String through,
            Instant at) {
        return transaction.update(
                        """
                        UPDATE approvals SET decision = ?, decided_by = ?, decided_through = ?, decided_at = ?,
                            ages_from = %s
                        WHERE org_id = ? AND id = ? AND decision = 'pending'
                        """
                                .formatted(RetentionClock.NOW),
                        decision.stored(),
                        by,
                        through,
                        at,
                        org.value(),
                        id)
                == 1;
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

    /** Those that were decided, the newest command first. */
    public List<Approval> decided(Principal who, int limit) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT + " AND decision <> 'pending' ORDER BY id DESC LIMIT ?",
                                ApprovalStore::approval,
                                who.org().value(),
                                limit));
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

    private static Approval approval(ResultRow row) {
        return new Approval(
                row.text("id"),
                new AgentId(row.text("user_id")),
                row.text("command"),
                row.time("requested_at"),
                row.time("expires_at"),
                Approval.Decision.of(row.text("decision")),
                row.textOrNull("decided_by"),
                row.textOrNull("decided_through"),
                row.timeOrNull("decided_at"));
    }
}
