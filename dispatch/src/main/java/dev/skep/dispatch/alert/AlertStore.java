package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The table {@code alerts}. */
public final class AlertStore {

    /** Stores an alert that stays open; false if one about the same is open already. */
    boolean open(Transaction transaction, Alert alert) {
        return transaction.update(
                        """
                        INSERT INTO alerts (id, org_id, kind, subject, message, raised_at)
                        VALUES (?, ?, ?, ?, ?, ?)
                        ON CONFLICT (org_id, kind, subject) WHERE resolved_at IS NULL DO NOTHING\
                        """,
                        alert.id(),
                        alert.org().value(),
                        alert.kind().name(),
                        alert.subject(),
                        alert.message(),
                        alert.at())
                == 1;
    }

    /** Stores an alert that needs no resolution. */
    void note(Transaction transaction, Alert alert) {
        transaction.update(
                """
                INSERT INTO alerts
                    (id, org_id, kind, subject, message, raised_at, resolved_at, ages_from)
                VALUES (?, ?, ?, ?, ?, ?, ?, %s)\
                """
                        .formatted(RetentionClock.NOW),
                alert.id(),
                alert.org().value(),
                alert.kind().name(),
                alert.subject(),
                alert.message(),
                alert.at(),
                alert.at());
    }

    /** Closes what is open about the subject; false if nothing was. */
    boolean resolve(
            Transaction transaction, OrgId org, AlertKind kind, String subject, Instant now) {
        return transaction.update(
                        """
                        UPDATE alerts SET resolved_at = ?, ages_from = %s
                        WHERE org_id = ? AND kind = ? AND subject = ? AND resolved_at IS NULL\
                        """
                                .formatted(RetentionClock.NOW),
                        now,
                        org.value(),
                        kind.name(),
                        subject)
                > 0;
    }

    /** What an alert is about. */
    record Subject(OrgId org, String subject) {}

    /** Whether an alert of a kind was ever raised about it, as far back as alerts are kept. */
    boolean isKnown(Snapshot snapshot, OrgId org, AlertKind kind, String subject) {
        return snapshot.first(
                        "SELECT 1 FROM alerts WHERE org_id = ? AND subject = ? AND kind = ? LIMIT 1",
                        row -> true,
                        org.value(),
                        subject,
                        kind.name())
                .isPresent();
    }

    /** What open alerts of a kind are about. */
    Set<Subject> open(Snapshot snapshot, AlertKind kind) {
        return Set.copyOf(
                snapshot.list(
                        "SELECT org_id, subject FROM alerts WHERE kind = ? AND resolved_at IS NULL",
                        row -> new Subject(new OrgId(row.text("org_id")), row.text("subject")),
                        kind.name()));
    }

    /** Deletes what was resolved by a reading of the retention clock; what is open stays. */
    public int forget(Transaction transaction, long reading) {
        return transaction.update(
                "DELETE FROM alerts WHERE resolved_at IS NOT NULL AND ages_from <= ?", reading);
    }

    /** The newest before an id, newest first. */
    public List<AlertDetails> newest(Snapshot snapshot, OrgId org, String before, int limit) {
        return list(snapshot, "", org, before, limit);
    }

    /** Those that are still open before an id, newest first; approvals have lists of their own. */
    public List<AlertDetails> newestOpen(Snapshot snapshot, OrgId org, String before, int limit) {
        return list(
                snapshot,
                "AND resolved_at IS NULL AND kind <> 'APPROVAL_WAITING' ",
                org,
                before,
                limit);
    }

    /** Those about one subject, newest first. */
    public List<AlertDetails> about(Snapshot snapshot, OrgId org, String subject, int limit) {
        return snapshot.list(
                """
                SELECT id, kind, subject, message, raised_at, resolved_at FROM alerts
                WHERE org_id = ? AND subject = ? ORDER BY id DESC LIMIT ?\
                """,
                AlertStore::view,
                org.value(),
                subject,
                limit);
    }

    private static List<AlertDetails> list(
            Snapshot snapshot, String condition, OrgId org, String before, int limit) {
        return snapshot.list(
                """
                SELECT id, kind, subject, message, raised_at, resolved_at FROM alerts
                WHERE org_id = ? AND id < ? %sORDER BY id DESC LIMIT ?\
                """
                        .formatted(condition),
                AlertStore::view,
                org.value(),
                before,
                limit);
    }

    private static AlertDetails view(ResultRow row) {
        return new AlertDetails(
                row.text("id"),
                row.text("kind"),
                row.text("subject"),
                row.text("message"),
                row.time("raised_at"),
                row.timeOrNull("resolved_at"));
    }
}
