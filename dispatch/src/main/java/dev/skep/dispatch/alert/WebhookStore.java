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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table {@code webhooks}. */
public final class WebhookStore {
    private static final String COLUMNS =
            "id, kind, name, url, topics, disabled_reason, created_at";

    public void insert(
            Transaction transaction, OrgId org, Webhook webhook, @Nullable String sealedSecret) {
        transaction.update(
                """
                INSERT INTO webhooks
                    (id, org_id, kind, name, url, secret, topics, created_at, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                webhook.id(),
                org.value(),
                webhook.kind().label(),
                webhook.name(),
                webhook.url(),
                sealedSecret,
                String.join(",", webhook.topics()),
                webhook.createdAt(),
                webhook.createdAt());
    }

    public List<Webhook> all(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                "SELECT %s FROM webhooks WHERE org_id = ? ORDER BY id".formatted(COLUMNS),
                WebhookStore::read,
                org.value());
    }

    /** Whether any org's webhook chose events, whose names alone have dots. */
    public boolean isAnyForEvents(Snapshot snapshot) {
        return snapshot.first(
                        """
                        SELECT 1 FROM webhooks
                        WHERE disabled_reason IS NULL AND topics LIKE '%.%' LIMIT 1""",
                        row -> true)
                .isPresent();
    }

    public Optional<Webhook> find(Snapshot snapshot, OrgId org, String id) {
        return snapshot.first(
                "SELECT %s FROM webhooks WHERE org_id = ? AND id = ?".formatted(COLUMNS),
                WebhookStore::read,
                org.value(),
                id);
    }

    public boolean delete(Transaction transaction, OrgId org, String id) {
        transaction.update(
                "DELETE FROM deliveries WHERE org_id = ? AND webhook_id = ?", org.value(), id);
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
