package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.wire.Message;
import java.time.Instant;
import java.util.List;

/** The table {@code ownership_grants}, beside the agents' generations. */
final class OwnershipGrantStore {
    void grant(
            Transaction transaction, OrgId org, HostId to, String userId, long gen, Instant now) {
        transaction.update(
                """
                INSERT INTO ownership_grants (user_id, gen, org_id, host_id, created_at)
                VALUES (?, ?, ?, ?, ?) ON CONFLICT (user_id, gen) DO NOTHING
                """,
                userId,
                gen,
                org.value(),
                to.value(),
                now);
    }

    List<Message.Grant> pending(Snapshot snapshot, OrgId org, HostId host) {
        return snapshot.list(
                """
                SELECT g.user_id, g.gen FROM ownership_grants g
                LEFT JOIN users u ON u.id = g.user_id AND u.org_id = g.org_id
                WHERE g.org_id = ? AND g.host_id = ? AND (u.gen IS NULL OR u.gen < g.gen)
                    AND NOT EXISTS (SELECT 1 FROM ownership_grants later
                        WHERE later.user_id = g.user_id AND later.gen > g.gen)
                ORDER BY g.user_id
                """,
                row -> new Message.Grant(row.text("user_id"), row.number("gen")),
                org.value(),
                host.value());
    }

    boolean isGranted(Snapshot snapshot, OrgId org, HostId host, String userId, long gen) {
        return snapshot.first(
                        """
                        SELECT 1 FROM ownership_grants
                        WHERE user_id = ? AND gen = ? AND org_id = ? AND host_id = ?
                        """,
                        row -> true,
                        userId,
                        gen,
                        org.value(),
                        host.value())
                .orElse(false);
    }

    long generation(Snapshot snapshot, OrgId org, String userId) {
        return snapshot.first(
                        """
                        SELECT coalesce(max(gen), 0) FROM (
                            SELECT gen FROM users WHERE org_id = ? AND id = ?
                            UNION ALL
                            SELECT gen FROM ownership_grants WHERE org_id = ? AND user_id = ?) AS gens
                        """,
                        row -> row.number(1),
                        org.value(),
                        userId,
                        org.value(),
                        userId)
                .orElse(0L);
    }
}
