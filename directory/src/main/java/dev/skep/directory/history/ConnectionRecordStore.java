package dev.skep.directory.history;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table {@code host_connections}. */
public final class ConnectionRecordStore {
    /** As many are kept of each host. */
    static final int KEPT = 100;

    static final String UNSEEN = "its end was not seen: the hub was not there";
    private static final int PIECE = 1_000;

    private static final String COLUMNS =
            "id, host_id, hub, peer_addr, opened_at, closed_at, ended_reason";

    /** A new period of a host, which ends those before it and pushes out the oldest. */
    int open(Transaction transaction, Principal.Host host, ConnectionRecord connectionRecord) {
        transaction.update(
                """
                UPDATE host_connections SET closed_at = ?, ended_reason = ?, ages_from = %s
                WHERE host_id = ? AND closed_at IS NULL
                """
                        .formatted(RetentionClock.NOW),
                connectionRecord.openedAt(),
                UNSEEN,
                connectionRecord.host());
        int written =
                transaction.update(
                        """
                INSERT INTO host_connections (id, org_id, host_id, hub, peer_addr, opened_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                        connectionRecord.id(),
                        host.org().value(),
                        connectionRecord.host(),
                        connectionRecord.hub(),
                        connectionRecord.address(),
                        connectionRecord.openedAt());
        transaction.update(
                """
                DELETE FROM host_connections WHERE host_id = ? AND id <= (
                    SELECT id FROM host_connections WHERE host_id = ?
                    ORDER BY id DESC LIMIT 1 OFFSET ?)
                """,
                connectionRecord.host(),
                connectionRecord.host(),
                KEPT);
        return written;
    }

    int close(Transaction transaction, String id, Instant at, String reason) {
        return transaction.update(
                """
                UPDATE host_connections SET closed_at = ?, ended_reason = ?, ages_from = %s
                WHERE id = ?
                """
                        .formatted(RetentionClock.NOW),
                at,
                reason,
                id);
    }

    /** Ends what a process left open that is gone; only where there is no other process. */
    int closeAll(Transaction transaction, Instant at) {
        return transaction.update(
                """
                UPDATE host_connections SET closed_at = ?, ended_reason = ?, ages_from = %s
                WHERE closed_at IS NULL
                """
                        .formatted(RetentionClock.NOW),
                at,
                UNSEEN);
    }

    /** The newest before an id, newest first; of one host or of all. */
    public List<ConnectionRecord> newest(
            Snapshot snapshot, Principal who, Optional<HostId> host, int limit) {
        return host.isPresent()
                ? snapshot.list(
                        """
                        SELECT %s FROM host_connections WHERE host_id = ? AND org_id = ?
                        ORDER BY id DESC LIMIT ?
                        """
                                .formatted(COLUMNS),
                        ConnectionRecordStore::period,
                        host.get().value(),
                        who.org().value(),
                        limit)
                : snapshot.list(
                        "SELECT %s FROM host_connections WHERE org_id = ? ORDER BY id DESC LIMIT ?"
                                .formatted(COLUMNS),
                        ConnectionRecordStore::period,
                        who.org().value(),
                        limit);
    }

    /** Deletes some of those that ended this long ago, and returns how many. */
    int forget(Transaction transaction, Duration keep) {
        return transaction.update(
                """
                DELETE FROM host_connections WHERE id IN (
                    SELECT id FROM host_connections
                    WHERE closed_at IS NOT NULL AND ages_from <= ? LIMIT ?)
                """,
                RetentionClock.read(transaction).before(keep),
                PIECE);
    }

    static boolean isWholePiece(int forgotten) {
        return forgotten == PIECE;
    }

    private static ConnectionRecord period(ResultRow row) {
        return new ConnectionRecord(
                row.text("id"),
                row.text("host_id"),
                row.text("hub"),
                row.text("peer_addr"),
                row.time("opened_at"),
                row.timeOrNull("closed_at"),
                row.textOrNull("ended_reason"));
    }
}
