package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code deliveries}. */
public final class DeliveryStore {
    /** The topic of an entry for events that were left out. */
    private static final String LEFT_OUT = "events";

    /** A new message is due at once, whatever the clocks show. */
    private static final Instant AT_ONCE = Instant.EPOCH;

    private static final String VIEW =
            """
            SELECT id, topic, state, tries, last_status, last_error, created_at, done_at
            FROM deliveries""";

    /** A message on its way, with where it goes. */
    public record Due(
            String id,
            String webhookId,
            Webhook.Kind kind,
            String url,
            @Nullable String sealedSecret,
            String body,
            int tries) {}

    /** The state of a message, for people. */
    public record View(
            String id,
            String topic,
            String state,
            int tries,
            @Nullable Integer lastStatus,
            @Nullable String lastError,
            Instant createdAt,
            @Nullable Instant doneAt) {}

    void insert(
            Transaction transaction,
            String id,
            OrgId org,
            String webhook,
            String topic,
            String body,
            Instant now) {
        transaction.update(
                """
                INSERT INTO deliveries
                    (id, org_id, webhook_id, topic, body, state, due_at, created_at)
                VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)\
                """,
                id,
                org.value(),
                webhook,
                topic,
                body,
                AT_ONCE,
                now);
    }

    /** Notes once that a message to a webhook was left out, until the next one is stored. */
    void leaveOut(
            Transaction transaction,
            String id,
            OrgId org,
            String webhook,
            String reason,
            Instant now) {
        boolean noted =
                latest(transaction, org, webhook, 1).stream()
                        .anyMatch(last -> last.topic().equals(LEFT_OUT));
        if (!noted) {
            transaction.update(
                    """
                    INSERT INTO deliveries
                        (id, org_id, webhook_id, topic, body, state, last_error, created_at, done_at,
                            ages_from)
                    VALUES (?, ?, ?, ?, '', 'failed', ?, ?, ?, %s)\
                    """
                            .formatted(RetentionClock.NOW),
                    id,
                    org.value(),
                    webhook,
                    LEFT_OUT,
                    reason,
                    now,
                    now);
        }
    }

    /** How many messages wait for a webhook. */
    int waiting(Snapshot snapshot, String webhook) {
        return snapshot.first(
                        """
                        SELECT COUNT(*) AS waiting FROM deliveries
                        WHERE webhook_id = ? AND state = 'waiting'\
                        """,
                        row -> (int) row.number("waiting"),
                        webhook)
                .orElseThrow();
    }

    /** Deletes finished messages of a webhook, except its newest ones. */
    void trim(Transaction transaction, String webhook, int kept) {
        transaction.update(
                """
                DELETE FROM deliveries WHERE webhook_id = ? AND state <> 'waiting' AND id <= (
                    SELECT id FROM deliveries WHERE webhook_id = ?
                    ORDER BY id DESC LIMIT 1 OFFSET ?)\
                """,
                webhook,
                webhook,
                kept);
    }

    /**
     * Takes messages that are due until a later time, by when their taker is done. Both are of the
     * hub's steady clock, so that setting the wall clock does not change when they are sent.
     */
    List<Due> take(Transaction transaction, Instant now, Instant until, int limit) {
        List<String> ids =
                transaction.list(
                        """
                        UPDATE deliveries SET due_at = ? WHERE id IN (
                            SELECT id FROM deliveries WHERE state = 'waiting' AND due_at <= ?
                            ORDER BY due_at, id LIMIT ?%s)
                        RETURNING id\
                        """
                                .formatted(
                                        transaction.dialect() == SqlDialect.POSTGRES
                                                ? " FOR UPDATE SKIP LOCKED"
                                                : ""),
                        row -> row.text("id"),
                        until,
                        now,
                        limit);
        return ids.stream().flatMap(id -> find(transaction, id).stream()).toList();
    }

    /** Takes one message, due or not, likewise until a later time. */
    Due take(Transaction transaction, String id, Instant until) {
        transaction.update("UPDATE deliveries SET due_at = ? WHERE id = ?", until, id);
        return find(transaction, id).orElseThrow();
    }

    private static Optional<Due> find(Transaction transaction, String id) {
        return transaction.first(
                """
                SELECT d.id, d.webhook_id, w.kind, w.url, w.secret, d.body, d.tries
                FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
                WHERE d.id = ?\
                """,
                DeliveryStore::due,
                id);
    }

    /** How one message fared. */
    View viewOf(Snapshot snapshot, String id) {
        return snapshot.first(VIEW + " WHERE id = ?", DeliveryStore::view, id).orElseThrow();
    }

    /** The webhook took it. */
    public void done(Transaction transaction, String id, int status, Instant now) {
        transaction.update(
                """
                UPDATE deliveries SET state = 'done', tries = tries + 1, last_status = ?,
                    last_error = NULL, done_at = ?, ages_from = %s WHERE id = ?\
                """
                        .formatted(RetentionClock.NOW),
                status,
                now,
                id);
    }

    /** The webhook did not take it, and is asked again when it is due. */
    public void again(
            Transaction transaction,
            String id,
            Instant due,
            @Nullable Integer status,
            String error) {
        transaction.update(
                """
                UPDATE deliveries SET tries = tries + 1, due_at = ?, last_status = ?, last_error = ?
                WHERE id = ?\
                """,
                due,
                status,
                error,
                id);
    }

    void giveUp(
            Transaction transaction,
            String id,
            @Nullable Integer status,
            String error,
            Instant now) {
        transaction.update(
                """
                UPDATE deliveries SET state = 'failed', tries = tries + 1, last_status = ?,
                    last_error = ?, done_at = ?, ages_from = %s WHERE id = ?\
                """
                        .formatted(RetentionClock.NOW),
                status,
                error,
                now,
                id);
    }

    /** Deletes messages that were delivered or given up by a reading of the retention clock. */
    public int forget(Transaction transaction, long reading) {
        return transaction.update(
                "DELETE FROM deliveries WHERE done_at IS NOT NULL AND ages_from <= ?", reading);
    }

    /** The latest messages of a webhook, newest first. */
    public List<View> latest(Snapshot snapshot, OrgId org, String webhook, int limit) {
        return snapshot.list(
                VIEW + " WHERE org_id = ? AND webhook_id = ? ORDER BY id DESC LIMIT ?",
                DeliveryStore::view,
                org.value(),
                webhook,
                limit);
    }

    private static Due due(ResultRow row) {
        return new Due(
                row.text("id"),
                row.text("webhook_id"),
                Webhook.Kind.of(row.text("kind")).orElseThrow(),
                row.text("url"),
                row.textOrNull("secret"),
                row.text("body"),
                (int) row.number("tries"));
    }

    private static View view(ResultRow row) {
        Long status = row.numberOrNull("last_status");
        return new View(
                row.text("id"),
                row.text("topic"),
                row.text("state"),
                (int) row.number("tries"),
                status == null ? null : status.intValue(),
                row.textOrNull("last_error"),
                row.time("created_at"),
                row.timeOrNull("done_at"));
    }
}
