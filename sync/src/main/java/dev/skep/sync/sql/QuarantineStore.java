package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import dev.skep.sync.QuarantinedRow;
import dev.skep.wire.Message;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table {@code sync_quarantine}. */
final class QuarantineStore {
    /** A peer that sends nothing but bad rows fills no disk with them. */
    private static final long MAX_PER_HOST = 10_000;

    /** How many of them a host is sent when it connects. */
    private static final int MOST_SENT = 100;

    void add(Transaction transaction, OrgId org, List<QuarantinedRow> rows, Instant now) {
        Map<String, Long> room = new HashMap<>();
        for (QuarantinedRow row : rows) {
            long left = room.computeIfAbsent(row.hostId(), host -> room(transaction, org, host));
            if (left > 0) {
                room.put(row.hostId(), left - 1);
                add(transaction, org, row, now);
            }
        }
    }

    private static long room(Transaction transaction, OrgId org, String host) {
        return MAX_PER_HOST
                - transaction
                        .first(
                                "SELECT count(*) FROM sync_quarantine WHERE org_id = ? AND host_id = ?",
                                found -> found.number(1),
                                org.value(),
                                host)
                        .orElse(0L);
    }

    private static void add(Transaction transaction, OrgId org, QuarantinedRow row, Instant now) {
        transaction.update(
                """
                INSERT INTO sync_quarantine
                    (org_id, host_id, table_name, row_key, reason, row_json, created_at, ver,
                     stored_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, %s)
                ON CONFLICT (org_id, host_id, table_name, row_key, reason)
                DO UPDATE SET row_json = excluded.row_json, created_at = excluded.created_at,
                    ver = excluded.ver, stored_at = excluded.stored_at
                """
                        .formatted(RetentionClock.NOW),
                org.value(),
                row.hostId(),
                row.table(),
                row.key(),
                row.reason().code(),
                row.json(),
                now,
                row.from());
    }

    /**
     * Deletes rows quarantined this long ago, except those that wait for an operator's decision: a
     * host's claim to an agent, and what it wrote for that agent before this hub knew. Their owner
     * keeps them only while they are here.
     */
    int forget(Transaction transaction, long before) {
        return transaction.update(
                "DELETE FROM sync_quarantine WHERE stored_at <= ? AND reason NOT IN (?, ?)",
                before,
                QuarantinedRow.Reason.TAKEOVER_UNCONFIRMED.code(),
                QuarantinedRow.Reason.AGENT_NOT_OF_HOST.code());
    }

    /** Deletes rows about an agent that waited for an operator's decision, and returns how many. */
    int removeUnconfirmed(Transaction transaction, OrgId org, HostId host, String userId) {
        return transaction.update(
                """
                DELETE FROM sync_quarantine
                WHERE org_id = ? AND host_id = ? AND reason = ? AND row_key LIKE ?
                """,
                org.value(),
                host.value(),
                QuarantinedRow.Reason.TAKEOVER_UNCONFIRMED.code(),
                "%" + userId);
    }

    /** Forgets rows of a host that waited for their agent: they come once more. */
    void removeAwaiting(Transaction transaction, OrgId org, HostId host) {
        transaction.update(
                "DELETE FROM sync_quarantine WHERE org_id = ? AND host_id = ? AND reason = ?",
                org.value(),
                host.value(),
                QuarantinedRow.Reason.AGENT_NOT_OF_HOST.code());
    }

    List<Message.Reject> rejected(Snapshot snapshot, OrgId org, HostId host) {
        return snapshot.list(
                """
                SELECT table_name, row_key, reason FROM sync_quarantine
                WHERE org_id = ? AND host_id = ?
                ORDER BY created_at DESC, table_name, row_key LIMIT ?
                """,
                row ->
                        new QuarantinedRow(
                                        host.value(),
                                        row.text("table_name"),
                                        row.text("row_key"),
                                        QuarantinedRow.Reason.of(row.text("reason")),
                                        0,
                                        null)
                                .reject(),
                org.value(),
                host.value(),
                MOST_SENT);
    }
}
