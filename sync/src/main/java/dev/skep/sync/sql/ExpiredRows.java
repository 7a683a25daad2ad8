package dev.skep.sync.sql;

import dev.skep.directory.host.HostStore;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.sync.RetentionFloors;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;

/** The rows of one table that have been here for long, and how they go. */
final class ExpiredRows {
    /** Few rows a time, so that the writer serves others in between. */
    private static final int PIECE = 500;

    private final Database database;
    private final InstantSource time;
    private final List<OwnRowWriter> owns;
    private final String self;
    private final SyncTable table;
    private final Collection<String> hubs;
    private final String stays;
    private final String key;

    /** Of a host, whose own rows may be of several orgs. */
    ExpiredRows(
            Database database,
            InstantSource time,
            List<OwnRowWriter> owns,
            SyncTable table,
            Collection<String> hubs) {
        this.database = database;
        this.time = time;
        this.owns = owns;
        this.self = owns.getFirst().self().value();
        this.table = table;
        this.hubs = hubs;
        this.stays = table.keptWhile().isEmpty() ? "1 = 0" : table.keptWhile();
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
                self,
                pulled(db));
    }

    long notPulled(Snapshot db, long until) {
        return count(
                db,
                "stored_at <= ? AND host_id = ? AND feed > ? AND NOT (%s)".formatted(stays),
                until,
                self,
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
        long gone = pieces(most, (tx, piece) -> others(tx, until, piece));
        for (OwnRowWriter own : owns) {
            gone += pieces(most - gone, (tx, piece) -> own(tx, own, until, piece));
        }
        return gone;
    }

    /** Deletes at most so many rows, and returns how many. */
    private interface Piece {
        long delete(Transaction tx, int rows);
    }

    private long pieces(long most, Piece each) {
        long gone = 0;
        long some = 1;
        while (some > 0 && gone < most) {
            int piece = (int) Math.min(PIECE, most - gone);
            some = database.write(tx -> each.delete(tx, piece));
            gone += some;
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
                self,
                piece);
    }

    /**
     * The first of this host's own rows, as far as they are old enough and pulled. What stays among
     * them is written again first, so that it stands above the floor.
     */
    private long own(Transaction tx, OwnRowWriter own, long until, int piece) {
        String org = own.org().value();
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
        raise(tx, own, floor);
        return gone;
    }

    private void raise(Transaction tx, OwnRowWriter own, long floor) {
        RetentionFloors before = RetentionFloors.of(HostStore.floors(tx, self).orElse(null));
        HostStore.setFloors(tx, own, before.raised(table, floor).text(), time.instant());
    }
}
