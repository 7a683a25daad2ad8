package dev.skep.sync.sql;

import dev.skep.directory.HostTable;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRows;
import dev.skep.sync.Floors;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The rows of one table that have been here for long, and how they go. */
final class AgedRows {
    /** Few rows a time, so that the writer serves others in between. */
    private static final int PIECE = 500;

    /** Rows that stay for as long as they are so. */
    private static final Map<String, String> STAYS = Map.of("run_session", "ended_reason IS NULL");

    private final Database database;
    private final InstantSource time;
    private final OwnRows own;
    private final SyncTable table;
    private final Collection<String> hubs;
    private final String stays;
    private final String key;

    AgedRows(
            Database database,
            InstantSource time,
            OwnRows own,
            SyncTable table,
            Collection<String> hubs) {
        this.database = database;
        this.time = time;
        this.own = own;
        this.table = table;
        this.hubs = hubs;
        this.stays = STAYS.getOrDefault(table.name(), "1 = 0");
        this.key = String.join(", ", table.key());
    }

    long count(Snapshot db, String condition, Object... parameters) {
        return db.first(
                        "SELECT count(*) FROM %s WHERE %s".formatted(table.name(), condition),
                        row -> row.number(1),
                        parameters)
                .orElseThrow();
    }

    long waiting(Snapshot db, long until) {
        return count(
                db,
                "stored_at <= ? AND NOT (%s) AND (host_id <> ? OR feed <= ?)".formatted(stays),
                until,
                own.self().value(),
                pulled(db));
    }

    long notPulled(Snapshot db, long until) {
        return count(
                db,
                "stored_at <= ? AND host_id = ? AND feed > ?",
                until,
                own.self().value(),
                pulled(db));
    }

    private long pulled(Snapshot db) {
        PeerStore peers = new PeerStore();
        return hubs.stream()
                .mapToLong(hub -> peers.peer(db, hub).pulled())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Others' rows first, then own ones; piece by piece. */
    long purge(long until, long most) {
        long gone = 0;
        for (boolean mine : List.of(false, true)) {
            long some = 1;
            while (some > 0 && gone < most) {
                int piece = (int) Math.min(PIECE, most - gone);
                some =
                        database.write(
                                tx -> mine ? own(tx, until, piece) : others(tx, until, piece));
                gone += some;
            }
        }
        return gone;
    }

    private long others(Transaction tx, long until, int piece) {
        return tx.update(
                """
                DELETE FROM %1$s WHERE (%2$s) IN (
                    SELECT %2$s FROM %1$s WHERE stored_at <= ? AND host_id <> ? AND NOT (%3$s)
                    ORDER BY stored_at, ver LIMIT ?)
                """
                        .formatted(table.name(), key, stays),
                until,
                own.self().value(),
                piece);
    }

    /**
     * The first of this host's own rows, as far as they are old enough and pulled. What stays among
     * them is written again first, so that it stands above the floor.
     */
    private long own(Transaction tx, long until, int piece) {
        String org = own.org().value();
        String self = own.self().value();
        long floor =
                tx.first(
                                """
                                SELECT coalesce(max(feed), 0) FROM (
                                    SELECT feed FROM %s
                                    WHERE org_id = ? AND host_id = ? AND stored_at <= ?
                                        AND feed <= ? AND NOT (%s)
                                    ORDER BY feed LIMIT ?) AS oldest
                                """
                                        .formatted(table.name(), stays),
                                row -> row.number(1),
                                org,
                                self,
                                until,
                                pulled(tx),
                                piece)
                        .orElse(0L);
        if (floor == 0) {
            return 0;
        }
        own.restamp(
                tx, table, "feed <= ? AND (stored_at > ? OR %s)".formatted(stays), floor, until);
        int gone =
                tx.update(
                        "DELETE FROM %s WHERE org_id = ? AND host_id = ? AND feed <= ?"
                                .formatted(table.name()),
                        org,
                        self,
                        floor);
        raise(tx, floor);
        return gone;
    }

    private void raise(Transaction tx, long floor) {
        String self = own.self().value();
        Floors before =
                tx.first(
                                "SELECT floors FROM hosts WHERE id = ?",
                                row -> Floors.of(row.textOrNull(1)),
                                self)
                        .orElse(Floors.NONE);
        tx.update(
                "UPDATE hosts SET floors = ?, updated_at = ? WHERE id = ? AND org_id = ?",
                before.raised(table, floor).text(),
                time.instant(),
                self,
                own.org().value());
        own.restamp(tx, HostTable.HOSTS, "id = ?", self);
    }
}
