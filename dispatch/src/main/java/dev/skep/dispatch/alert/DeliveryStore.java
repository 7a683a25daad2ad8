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
            SELECT id, topic, title, state, tries, last_status, last_error, created_at, done_at
            FROM deliveries""";

    private static final String OF_PEOPLE =
            """
            SELECT d.id, d.topic, d.title, d.state, d.tries, d.last_status, d.last_error,
                d.created_at, d.done_at, w.operator_id, w.kind, w.name
            FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
            WHERE d.org_id = ? AND w.operator_id""";

    /** A message on its way, with where it goes. */
    public record Due(
            String id,
            OrgId org,
            String webhookId,
            Webhook.Kind kind,
            String url,
            @Nullable String sealedSecret,
            String body,
            int tries,
            Instant createdAt) {}

    /** The state of a message, for people. */
    public record View(
            String id,
            String topic,
            @Nullable String title,
            String state,
            int tries,
            @Nullable Integer lastStatus,
            @Nullable String lastError,
            Instant createdAt,
            @Nullable Instant doneAt) {

        /**
         * The state in words: on its way, sent, refused by an answer that stays the same, or given
         * up.
         */
        public String outcome() {
            return switch (state) {
                case "done" -> "sent";
                case "waiting" ->
                        tries == 0
                                ? "queued"
                                : lastStatus == null
                                        ? "not reached, trying again"
                                        : "refused, trying again";
                default ->
                        lastStatus != null && tries < DeliveryRules.MOST_TRIES
                                ? "refused"
                                : "given up";
            };
        }
    }

    /** A message to a person, with the channel it went to. */
    public record ToPerson(String operator, String kind, String channel, View message) {}

    void insert(
            Transaction transaction,
            String id,
            OrgId org,
            String webhook,
            String topic,
            @Nullable String title,
            String body,
            Instant now) {
        insert(transaction, id, org, webhook, topic, title, body, AT_ONCE, now);
    }

    /** Stores a message that is due later, by the steady clock. */
    public void insert(
            Transaction transaction,
            String id,
            OrgId org,
            String webhook,
            String topic,
            @Nullable String title,
            String body,
            Instant due,
            Instant now) {
        transaction.update(
                """
                INSERT INTO deliveries
                    (id, org_id, webhook_id, topic, title, body, state, due_at, created_at)
                VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, ?)\
                """,
                id,
                org.value(),
                webhook,
                topic,
                title,
                body,
                due,
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
                SELECT d.id, d.org_id, d.webhook_id, w.kind, w.url, w.secret, d.body, d.tries,
                    d.created_at
                FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id
                WHERE d.id = ?\
                """,
                DeliveryStore::due,
                id);
    }

    /** How one message fared. */
    public View viewOf(Snapshot snapshot, String id) {
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

    /** The latest messages to one person, newest first. */
    public List<ToPerson> latestTo(Snapshot snapshot, OrgId org, String operator, int limit) {
        return snapshot.list(
                OF_PEOPLE + " = ? ORDER BY d.id DESC LIMIT ?",
                DeliveryStore::toPerson,
                org.value(),
                operator,
                limit);
    }

    /** The latest messages to all people of an org, newest first. */
    public List<ToPerson> latestToPeople(Snapshot snapshot, OrgId org, int limit) {
        return snapshot.list(
                OF_PEOPLE + " IS NOT NULL ORDER BY d.id DESC LIMIT ?",
                DeliveryStore::toPerson,
                org.value(),
                limit);
    }

    /** A message that a person's pages show. */
    public record Shown(String id, String body) {}

    /** What a channel has had since a time and was not given up. */
    public List<Shown> since(Snapshot snapshot, OrgId org, String webhook, Instant time) {
        return snapshot.list(
                """
                SELECT id, body FROM deliveries
                WHERE org_id = ? AND webhook_id = ? AND state <> 'failed' AND created_at >= ?
                ORDER BY id""",
                row -> new Shown(row.text("id"), row.text("body")),
                org.value(),
                webhook,
                time);
    }

    /** A page showed it; the first that says so counts. */
    public void shown(Transaction transaction, OrgId org, String webhook, String id, Instant now) {
        transaction.update(
                """
                UPDATE deliveries SET state = 'done', tries = tries + 1, done_at = ?, ages_from = %s
                WHERE id = ? AND org_id = ? AND webhook_id = ? AND state = 'waiting'"""
                        .formatted(RetentionClock.NOW),
                now,
                id,
                org.value(),
                webhook);
    }

    private static ToPerson toPerson(ResultRow row) {
        return new ToPerson(row.text("operator_id"), row.text("kind"), row.text("name"), view(row));
    }

    private static Due due(ResultRow row) {
        return new Due(
                row.text("id"),
                new OrgId(row.text("org_id")),
                row.text("webhook_id"),
                Webhook.Kind.of(row.text("kind")).orElseThrow(),
                row.text("url"),
                row.textOrNull("secret"),
                row.text("body"),
                (int) row.number("tries"),
                row.time("created_at"));
    }

    private static View view(ResultRow row) {
        Long status = row.numberOrNull("last_status");
        return new View(
                row.text("id"),
                row.text("topic"),
                row.textOrNull("title"),
                row.text("state"),
                (int) row.number("tries"),
                status == null ? null : status.intValue(),
                row.textOrNull("last_error"),
                row.time("created_at"),
                row.timeOrNull("done_at"));
    }
}
