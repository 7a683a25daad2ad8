package dev.skep.sync.sql;

import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Deletes rows that have been here for long enough, by the retention clock. Own rows are deleted in
 * the order of their stamps, when every hub has them, and the host's row records how far, so that
 * they do not count as lost and no heal brings them back. Thread-safe.
 */
public final class RetentionStore {
    private final Database database;
    private final InstantSource time;

    RetentionStore(Database database, InstantSource time) {
        this.database = database;
        this.time = time;
    }

    /**
     * What a round did to a table.
     *
     * @param waiting rows that are old enough and stay for the next round, since they are many
     * @param notPulled own rows that are old enough and stay until every hub has them
     */
    public record Purged(long rows, long waiting, long notPulled) {
        static final Purged NOTHING = new Purged(0, 0, 0);
    }

    /**
     * How many rows of a table one round may purge, so that a mistake is seen before all is gone.
     */
    public record PurgeLimit(int percent, long least, Duration recent) {
        public static final PurgeLimit HOURLY = new PurgeLimit(2, 1_000, Duration.ofHours(1));

        /** As many go as came, and as many again. */
        public static final int TIMES_RECENT = 2;

        public long of(long rows, long storedRecently) {
            return Math.max(Math.max(rows * percent / 100, least), TIMES_RECENT * storedRecently);
        }
    }

    /**
     * Purges rows that are older than the rule allows, up to the bound.
     *
     * @param own this host's rows, of each org that has any
     * @param hubs which must have pulled an own row before it goes
     */
    public Purged purge(
            List<OwnRowWriter> own,
            SyncTable table,
            Duration keep,
            Collection<String> hubs,
            PurgeLimit purgeLimit) {
        ExpiredRows aged = new ExpiredRows(database, time, own, table, hubs);
        long now = database.read(RetentionClock::read).at();
        long until = now - keep.toMillis();
        if (until < 0 || database.read(db -> aged.count(db, "stored_at <= ?", until)) == 0) {
            return recordBacklog(table, Purged.NOTHING, now);
        }
        long most =
                purgeLimit.of(
                        database.read(db -> aged.count(db, "1 = 1")),
                        database.read(
                                db ->
                                        aged.count(
                                                db,
                                                "stored_at > ?",
                                                now - purgeLimit.recent().toMillis())));
        long gone = aged.purge(until, most);
        Purged purged =
                new Purged(
                        gone,
                        gone < most ? 0 : database.read(db -> aged.waiting(db, until)),
                        database.read(db -> aged.notPulled(db, until)));
        return recordBacklog(table, purged, now);
    }

    /**
     * Purges about so many of the oldest rows, whether or not a hub has them, before the disk is
     * full. Returns how many rows were deleted.
     *
     * @param tables counted in the first; what is as old in the others goes with it
     */
    public long purgeOldest(List<OwnRowWriter> own, List<SyncTable> tables, int rows) {
        long until =
                database.read(
                        db ->
                                db.first(
                                                "SELECT stored_at FROM %s ORDER BY stored_at LIMIT 1 OFFSET ?"
                                                        .formatted(tables.getFirst().name()),
                                                row -> row.number(1),
                                                Math.max(0, rows - 1))
                                        .orElse(-1L));
        long gone = 0;
        for (SyncTable table : until < 0 ? List.<SyncTable>of() : tables) {
            // Rows from before an upgrade are all equally old: no more of them than asked for.
            gone += new ExpiredRows(database, time, own, table, List.of()).purge(until, rows);
        }
        return gone;
    }

    /**
     * Deletes rows quarantined this long ago, except those that wait for an operator's decision.
     */
    public int deleteQuarantined(Duration keep) {
        return database.write(
                tx -> {
                    long until = RetentionClock.read(tx).before(keep);
                    int gone = until < 0 ? 0 : new QuarantineStore().forget(tx, until);
                    if (gone > 0) {
                        new PeerStore().holdFromWhatIsLeft(tx);
                    }
                    return gone;
                });
    }

    /**
     * What the last round could not do.
     *
     * @param waiting rows that are old enough and stay for the next rounds, since they are many
     * @param notPulled own rows that are old enough and stay until every hub has them
     */
    public record Backlog(String table, long waiting, long notPulled) {}

    /** The tables that the last round was not done with. */
    public static List<Backlog> backlog(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT table_name, waiting, not_pulled FROM retention_backlog ORDER BY table_name
                """,
                row ->
                        new Backlog(
                                row.text("table_name"),
                                row.number("waiting"),
                                row.number("not_pulled")));
    }

    private static Optional<Boolean> hasBacklog(Snapshot db, SyncTable table) {
        return db.first(
                "SELECT 1 FROM retention_backlog WHERE table_name = ?", row -> true, table.name());
    }

    /** Stores what a round could not purge, for the retention status. */
    private Purged recordBacklog(SyncTable table, Purged purged, long now) {
        boolean all = purged.waiting() == 0 && purged.notPulled() == 0;
        if (all && database.read(db -> hasBacklog(db, table)).isEmpty()) {
            return purged;
        }
        return database.write(
                tx -> {
                    if (all) {
                        tx.update(
                                "DELETE FROM retention_backlog WHERE table_name = ?", table.name());
                    } else {
                        tx.update(
                                """
                                INSERT INTO retention_backlog
                                    (table_name, waiting, not_pulled, since) VALUES (?, ?, ?, ?)
                                ON CONFLICT (table_name) DO UPDATE SET
                                    waiting = excluded.waiting, not_pulled = excluded.not_pulled
                                """,
                                table.name(),
                                purged.waiting(),
                                purged.notPulled(),
                                now);
                    }
                    return purged;
                });
    }
}
