package dev.skep.sync.sql;

import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.sync.SyncPeer;
import java.time.Instant;

/** The table {@code hub_sync_state}. */
final class PeerStore {
    SyncPeer peer(Snapshot snapshot, String id) {
        return snapshot.first(
                        """
                        SELECT since_timestamp, head, pulled, link_no, heals, heals_from
                        FROM hub_sync_state WHERE id = ?
                        """,
                        row ->
                                new SyncPeer(
                                        row.number("since_timestamp"),
                                        row.number("head"),
                                        row.number("pulled"),
                                        row.number("link_no"),
                                        row.number("heals"),
                                        row.timeOrNull("heals_from")),
                        id)
                .orElse(SyncPeer.NEW);
    }

    /** The lowest stamp of a host's rows that were set aside; 0 for none. */
    long quarantinedFrom(Snapshot snapshot, String host) {
        return snapshot.first(
                        "SELECT aside_from FROM hub_sync_state WHERE id = ?",
                        row -> row.number("aside_from"),
                        host)
                .orElse(0L);
    }

    void holdFrom(Transaction transaction, String host, long stamp) {
        transaction.update(
                """
                UPDATE hub_sync_state SET aside_from = ?
                WHERE id = ? AND (aside_from = 0 OR aside_from > ?)
                """,
                stamp,
                host,
                stamp);
    }

    /** Some quarantined rows were deleted: the remaining ones hold up their owner. */
    void holdFromWhatIsLeft(Transaction transaction) {
        transaction.update(
                """
                UPDATE hub_sync_state SET aside_from = coalesce(
                    (SELECT min(q.ver) FROM sync_quarantine q
                     WHERE q.host_id = hub_sync_state.id AND q.ver > 0), 0)
                WHERE aside_from > 0
                """);
    }

    void openLink(Transaction transaction, String host, Instant now) {
        transaction.update(
                """
                INSERT INTO hub_sync_state (id, link_no, updated_at) VALUES (?, 1, ?)
                ON CONFLICT (id) DO UPDATE
                SET link_no = hub_sync_state.link_no + 1, updated_at = excluded.updated_at
                """,
                host,
                now);
    }

    /** A host is behind since that was first known, until it has caught up. */
    boolean advance(
            Transaction transaction, String host, long linkNo, long since, long head, Instant now) {
        return transaction.update(
                        """
                        UPDATE hub_sync_state SET since_timestamp = ?, head = ?,
                            behind_since = CASE WHEN ? >= ? THEN NULL
                                WHEN since_timestamp >= head THEN ?
                                ELSE COALESCE(behind_since, ?) END,
                            updated_at = ?
                        WHERE id = ? AND link_no = ?
                        """,
                        since,
                        head,
                        since,
                        head,
                        now,
                        now,
                        now,
                        host,
                        linkNo)
                == 1;
    }

    /** Ends the host's links and pulls it from the start. */
    void restart(Transaction transaction, String host, Instant now) {
        transaction.update(
                """
                UPDATE hub_sync_state
                SET since_timestamp = 0, aside_from = 0, link_no = link_no + 1, updated_at = ?
                WHERE id = ?
                """,
                now,
                host);
    }

    boolean healed(
            Transaction transaction, String host, long linkNo, SyncPeer healed, Instant now) {
        return transaction.update(
                        """
                        UPDATE hub_sync_state
                        SET since_timestamp = 0, aside_from = 0, head = ?, heals = ?, heals_from = ?,
                            updated_at = ?
                        WHERE id = ? AND link_no = ?
                        """,
                        healed.head(),
                        healed.heals(),
                        healed.healsFrom(),
                        now,
                        host,
                        linkNo)
                == 1;
    }

    void store(
            Transaction transaction, String hub, long cursor, long head, long pulled, Instant now) {
        transaction.update(
                """
                INSERT INTO hub_sync_state (id, since_timestamp, head, pulled, updated_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET since_timestamp = excluded.since_timestamp,
                    head = excluded.head, pulled = excluded.pulled, updated_at = excluded.updated_at
                """,
                hub,
                cursor,
                head,
                pulled,
                now);
    }

    void forgetPulled(Transaction transaction) {
        transaction.update("UPDATE hub_sync_state SET pulled = 0");
    }
}
