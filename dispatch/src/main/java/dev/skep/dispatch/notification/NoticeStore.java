package dev.skep.dispatch.notification;

import dev.skep.dispatch.alert.Webhook;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables {@code notices} and {@code notice_positions}. */
final class NoticeStore {
    /** How many of a channel are kept one by one until its message leaves; the rest is counted. */
    static final int WAITING = 200;

    /**
     * Stores a notice, or counts it behind another one where too many wait.
     *
     * @param steadyNow when it began to wait
     */
    void add(Transaction transaction, Notice notice, Instant steadyNow) {
        if (waiting(transaction, notice.channel()) >= WAITING) {
            transaction.update(
                    """
                    UPDATE notices SET more = more + 1 WHERE id = (
                        SELECT max(id) FROM notices WHERE webhook_id = ?)""",
                    notice.channel());
            return;
        }
        transaction.update(
                """
                INSERT INTO notices (id, org_id, webhook_id, kind, subject, text, alert_id, more,
                    noticed_at, happened_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)""",
                notice.id(),
                notice.org().value(),
                notice.channel(),
                notice.kind().label(),
                notice.subject(),
                notice.text(),
                notice.alert(),
                steadyNow,
                notice.at());
    }

    private static long waiting(Snapshot snapshot, String channel) {
        return snapshot.first(
                        "SELECT count(*) AS waiting FROM notices WHERE webhook_id = ?",
                        row -> row.number("waiting"),
                        channel)
                .orElse(0L);
    }

    /** A channel for which something waits, and since when. */
    record Pending(
            String channel,
            OrgId org,
            String operator,
            Webhook.Kind kind,
            Instant since,
            @Nullable Instant told) {}

    List<Pending> pending(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT w.id, w.org_id, w.operator_id, w.kind, w.told_at, n.since
                FROM (SELECT webhook_id, min(noticed_at) AS since FROM notices GROUP BY webhook_id) n
                JOIN webhooks w ON w.id = n.webhook_id
                WHERE w.operator_id IS NOT NULL ORDER BY w.id""",
                NoticeStore::pending);
    }

    private static Pending pending(ResultRow row) {
        return new Pending(
                row.text("id"),
                new OrgId(row.text("org_id")),
                row.text("operator_id"),
                Webhook.Kind.of(row.text("kind")).orElseThrow(),
                row.time("since"),
                row.timeOrNull("told_at"));
    }

    /** Removes those whose reason is over: nobody needs to be told of it any more. */
    int dropOver(Transaction transaction, String channel) {
        return transaction.update(
                """
                DELETE FROM notices WHERE webhook_id = ? AND alert_id IN (
                    SELECT id FROM alerts WHERE resolved_at IS NOT NULL)""",
                channel);
    }

    boolean isAny(Snapshot snapshot, String channel) {
        return snapshot.first(
                        "SELECT 1 FROM notices WHERE webhook_id = ? LIMIT 1", row -> true, channel)
                .isPresent();
    }

    /** Removes all of a channel and returns them, the oldest first. */
    List<Notice> take(Transaction transaction, String channel) {
        List<Notice> all =
                transaction.list(
                        "SELECT * FROM notices WHERE webhook_id = ? ORDER BY id",
                        NoticeStore::read,
                        channel);
        if (!all.isEmpty()) {
            transaction.update(
                    "DELETE FROM notices WHERE webhook_id = ? AND id <= ?",
                    channel,
                    all.getLast().id());
        }
        return all;
    }

    void forget(Transaction transaction, String channel) {
        transaction.update("DELETE FROM notices WHERE webhook_id = ?", channel);
    }

    private static Notice read(ResultRow row) {
        return new Notice(
                row.text("id"),
                new OrgId(row.text("org_id")),
                row.text("webhook_id"),
                NotificationKind.of(row.text("kind")).orElse(NotificationKind.JOB_FAILED),
                row.text("subject"),
                row.text("text"),
                row.textOrNull("alert_id"),
                row.number("more"),
                row.time("happened_at"));
    }

    Optional<Long> position(Snapshot snapshot, String of) {
        return snapshot.first(
                "SELECT position FROM notice_positions WHERE id = ?",
                row -> row.number("position"),
                of);
    }

    /**
     * Moves a position; false if another process moved it meanwhile. The row stays locked until the
     * commit.
     *
     * @param from empty if there was none
     */
    boolean move(Transaction transaction, String of, Optional<Long> from, long to) {
        if (from.isEmpty()) {
            return transaction.update(
                            """
                            INSERT INTO notice_positions (id, position) VALUES (?, ?)
                            ON CONFLICT (id) DO NOTHING""",
                            of,
                            to)
                    == 1;
        }
        return transaction.update(
                        "UPDATE notice_positions SET position = ? WHERE id = ? AND position = ?",
                        to,
                        of,
                        from.get())
                == 1;
    }
}
