package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table {@code webhooks}. */
public final class WebhookStore {
    private static final String COLUMNS =
            "id, operator_id, kind, name, url, topics, disabled_reason, created_at";

    /** Stores one of an org. */
    public void insert(
            Transaction transaction, OrgId org, Webhook webhook, @Nullable String sealedSecret) {
        insert(transaction, org, null, webhook, sealedSecret);
    }

    /** Stores one of a person. */
    public void insert(
            Transaction transaction,
            OrgId org,
            @Nullable String operator,
            Webhook webhook,
            @Nullable String sealedSecret) {
        transaction.update(
                """
                INSERT INTO webhooks
                    (id, org_id, operator_id, kind, name, url, secret, topics, created_at,
                        updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                webhook.id(),
                org.value(),
                operator,
                webhook.kind().label(),
                webhook.name(),
                webhook.url(),
                sealedSecret,
                topics(webhook.topics()),
                webhook.createdAt(),
                webhook.createdAt());
    }

    /** Those of the org itself. */
    public List<Webhook> all(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                "SELECT %s FROM webhooks WHERE org_id = ? AND operator_id IS NULL ORDER BY id"
                        .formatted(COLUMNS),
                WebhookStore::read,
                org.value());
    }

    /** Those of all its people. */
    public List<Channel> channels(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                "SELECT %s FROM webhooks WHERE org_id = ? AND operator_id IS NOT NULL ORDER BY id"
                        .formatted(COLUMNS),
                WebhookStore::channel,
                org.value());
    }

    /** Those of one person, the oldest first. */
    public List<Webhook> channels(Snapshot snapshot, OrgId org, String operator) {
        return snapshot.list(
                "SELECT %s FROM webhooks WHERE org_id = ? AND operator_id = ? ORDER BY id"
                        .formatted(COLUMNS),
                WebhookStore::read,
                org.value(),
                operator);
    }

    /** One of a person's. */
    public Optional<Webhook> channel(Snapshot snapshot, OrgId org, String operator, String id) {
        return snapshot.first(
                "SELECT %s FROM webhooks WHERE org_id = ? AND operator_id = ? AND id = ?"
                        .formatted(COLUMNS),
                WebhookStore::read,
                org.value(),
                operator,
                id);
    }

    /** Sets what a person's channel tells, and has it go on if it was disabled. */
    public void choose(Transaction transaction, String id, Set<String> topics, Instant now) {
        transaction.update(
                "UPDATE webhooks SET topics = ?, disabled_reason = NULL, updated_at = ? WHERE id = ?",
                topics(topics),
                now,
                id);
    }

    /**
     * Notes that a message begins its way; false if one did since the given time. The row stays
     * locked until the commit, so that of many processes one sends what waits.
     */
    public boolean tellNow(
            Transaction transaction, String id, Instant unlessSince, Instant steadyNow) {
        return transaction.update(
                        """
                        UPDATE webhooks SET told_at = ?
                        WHERE id = ? AND (told_at IS NULL OR told_at <= ?)""",
                        steadyNow,
                        id,
                        unlessSince)
                == 1;
    }

    private static String topics(Set<String> topics) {
        return String.join(",", new TreeSet<>(topics));
    }

    /** Whether any org's webhook chose events, whose names alone have dots. */
    public boolean isAnyForEvents(Snapshot snapshot) {
        return snapshot.first(
                        """
                        SELECT 1 FROM webhooks
                        WHERE disabled_reason IS NULL AND operator_id IS NULL
                            AND topics LIKE '%.%' LIMIT 1""",
                        row -> true)
                .isPresent();
    }

    public Optional<Webhook> find(Snapshot snapshot, OrgId org, String id) {
        return snapshot.first(
                "SELECT %s FROM webhooks WHERE org_id = ? AND operator_id IS NULL AND id = ?"
                        .formatted(COLUMNS),
                WebhookStore::read,
                org.value(),
                id);
    }

    /** Removes it with its messages, whosever it is. */
    public boolean delete(Transaction transaction, OrgId org, String id) {
        transaction.update(
                "DELETE FROM deliveries WHERE org_id = ? AND webhook_id = ?", org.value(), id);
        transaction.update(
                "DELETE FROM notices WHERE org_id = ? AND webhook_id = ?", org.value(), id);
        return transaction.update(
                        "DELETE FROM webhooks WHERE org_id = ? AND id = ?", org.value(), id)
                == 1;
    }

    public void disable(Transaction transaction, String id, String reason, Instant now) {
        transaction.update(
                "UPDATE webhooks SET disabled_reason = ?, updated_at = ? WHERE id = ?",
                reason,
                now,
                id);
    }

    private static Channel channel(ResultRow row) {
        return new Channel(row.text("operator_id"), read(row));
    }

    private static Webhook read(ResultRow row) {
        String topics = row.text("topics");
        return new Webhook(
                row.text("id"),
                Webhook.Kind.of(row.text("kind")).orElseThrow(),
                row.text("name"),
                row.text("url"),
                topics.isEmpty()
                        ? Set.of()
                        : Arrays.stream(topics.split(",", -1)).collect(Collectors.toSet()),
                row.textOrNull("disabled_reason"),
                row.time("created_at"));
    }
}
