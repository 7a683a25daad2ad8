package dev.skep.sync.sql;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Transaction;
import dev.skep.sync.SetAside;
import java.time.Instant;

/** The table {@code sync_quarantine}. */
final class QuarantineStore {
    /** A peer that sends nothing but bad rows fills no disk with them. */
    private static final long MAX_PER_HOST = 10_000;

    void add(Transaction transaction, OrgId org, SetAside row, Instant now) {
        long kept =
                transaction
                        .first(
                                "SELECT count(*) FROM sync_quarantine WHERE org_id = ? AND host_id = ?",
                                found -> found.number(1),
                                org.value(),
                                row.hostId())
                        .orElse(0L);
        if (kept >= MAX_PER_HOST) {
            return;
        }
        transaction.update(
                """
                INSERT INTO sync_quarantine
                    (org_id, host_id, table_name, row_key, reason, row_json, created_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (org_id, host_id, table_name, row_key, reason)
                DO UPDATE SET row_json = excluded.row_json, created_at = excluded.created_at
                """,
                org.value(),
                row.hostId(),
                row.table(),
                row.key(),
                row.reason().code(),
                row.json(),
                now);
    }
}
