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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The local table {@code approvals}. */
public final class ApprovalStore {
    private static final String SELECT =
            """
            SELECT id, user_id, command, detail, requested_at, expires_at, decision, decided_by,
                   decided_through, decided_at, always, reason
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
                                    (id, org_id, user_id, command, detail, requested_at, expires_at,
                                     decision)
                                VALUES (?, ?, ?, ?, ?, ?, ?, 'pending') ON CONFLICT (id) DO NOTHING
                                """,
                                approval.id(),
                                who.org().value(),
                                approval.agent().value(),
                                approval.command(),
                                approval.detail(),
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
    public boolean decide(
            Decider who,
            ApprovalId id,
            ApprovalChoice choice,
            @Nullable String reason,
            Instant at) {
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
                    var made = new Made(choice, by, through, reason);
                    boolean decided = decide(transaction, who.actor().org(), id.value(), made, at);
                    if (decided) {
                        audit.record(
                                transaction,
                                who.actor(),
                                "command_" + choice.decision().stored(),
                                "approval:" + id,
                                audited(made, transaction, id));
                    }
                    return decided;
                });
    }

    /** Denies what nobody decided in time. */
    void expire(Principal who, String id, Instant at) {
        var nobodys = new Made(ApprovalChoice.DENY, Approval.NOBODY, null, null);
        database.write(transaction -> decide(transaction, who.org(), id, nobodys, at));
    }

    /** Denies in the runner's own name, for a reason. */
    void withdraw(Principal who, String id, String why, Instant at) {
        var runners = new Made(ApprovalChoice.DENY, Approval.RUNNER, null, why);
        database.write(transaction -> decide(transaction, who.org(), id, runners, at));
    }

    /** A decision as it is stored. */
    private record Made(
            ApprovalChoice choice, String by, @Nullable String through, @Nullable String reason) {
        boolean always() {
            return choice == ApprovalChoice.ALWAYS;
        }
    }

    /** With the rule that a yes for always made, which stands in the agent's file from then on. */
    private static Map<String, String> audited(Made made, Transaction transaction, ApprovalId id) {
        Map<String, String> details = new TreeMap<>();
        details.put("by", DecisionLine.decider(made.by(), made.through()));
        if (made.always()) {
            transaction
                    .first(
                            "SELECT command FROM approvals WHERE id = ?",
                            row -> row.text("command"),
                            id.value())
                    .ifPresent(command -> details.put("allows", command));
        }
        if (made.reason() != null) {
            details.put("reason", made.reason());
        }
        return details;
    }

    private static boolean decide(
            Transaction transaction, OrgId org, String id, Made made, Instant at) {
        return transaction.update(
                        """
                        UPDATE approvals SET decision = ?, decided_by = ?, decided_through = ?, decided_at = ?,
                            always = ?, reason = ?, ages_from = %s
                        WHERE org_id = ? AND id = ? AND decision = 'pending'
                        """
                                .formatted(RetentionClock.NOW),
                        made.choice().decision().stored(),
                        made.by(),
                        made.through(),
                        at,
                        made.always() ? 1 : 0,
                        made.reason(),
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
                row.textOrNull("detail"),
                row.time("requested_at"),
                row.time("expires_at"),
                Approval.Decision.of(row.text("decision")),
                row.textOrNull("decided_by"),
                row.textOrNull("decided_through"),
                row.timeOrNull("decided_at"),
                row.flag("always"),
                row.textOrNull("reason"));
    }
}
