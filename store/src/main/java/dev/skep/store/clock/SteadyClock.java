package dev.skep.store.clock;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The clock that leases, timeouts, heartbeats and sessions are counted by. It advances with
 * monotonic time, so that a wall clock that is set by hours or days ends nothing and revives
 * nothing. It is kept in the database: all processes on it share it, and after a restart it goes on
 * where it was, plus the time the wall clock says has passed, at most {@link #LONGEST_PAUSE}. Where
 * another process has kept it going there was no pause, whatever the wall clock says.
 *
 * <p>Its value looks like a time of day and was one when the database was new. {@link #ahead} is
 * its distance from the wall clock, for showing its times to people. Thread-safe.
 */
public final class SteadyClock implements InstantSource, Component {
    /** Longer pauses are taken for a wrong clock: deadlines then last longer, rather than end. */
    public static final Duration LONGEST_PAUSE = Duration.ofDays(7);

    private static final Duration KEPT_EVERY = Duration.ofSeconds(30);

    private final Database database;
    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final PeriodicTask keeping = new PeriodicTask("steady-clock", KEPT_EVERY, this::keep);
    private volatile Reading anchor;

    /** The clock's reading at a monotonic time. */
    private record Reading(Instant at, long nanos) {
        Instant later(long now) {
            return at.plusNanos(now - nanos);
        }
    }

    private record StoredReading(Instant at, Instant wall) {}

    private SteadyClock(Database database, InstantSource wall, LongSupplier nanoTime) {
        this.database = database;
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.anchor = new Reading(wall.instant(), nanoTime.getAsLong());
    }

    /** Goes on where the database's clock is. */
    public static SteadyClock open(Database database, InstantSource wall, LongSupplier nanoTime) {
        SteadyClock clock = new SteadyClock(database, wall, nanoTime);
        clock.anchor = database.write(clock::resumed);
        return clock;
    }

    private Reading resumed(Transaction transaction) {
        boolean goesOn = isKeptByAnother(transaction);
        lock(transaction);
        Instant now = now(transaction);
        Instant at =
                kept(transaction)
                        .map(
                                storedReading ->
                                        goesOn
                                                ? storedReading.at()
                                                : storedReading
                                                        .at()
                                                        .plus(pause(storedReading, now)))
                        .orElse(now);
        keep(transaction, at, now);
        return new Reading(at, nanoTime.getAsLong());
    }

    /**
     * Whether another process that keeps the clock lives, by its sessions at the server; those that
     * do not are forgotten. Of several that start together the first counts the pause: the others
     * wait here until it has.
     */
    private static boolean isKeptByAnother(Transaction transaction) {
        if (transaction.dialect() == SqlDialect.SQLITE) {
            return false;
        }
        transaction.update("LOCK TABLE steady_clock_keepers IN EXCLUSIVE MODE");
        transaction.update(
                """
                DELETE FROM steady_clock_keepers WHERE session NOT IN (
                    SELECT application_name FROM pg_stat_activity
                    WHERE datname = current_database() AND application_name IS NOT NULL)
                """);
        return transaction
                .first(
                        """
                        SELECT 1 FROM steady_clock_keepers
                        WHERE session <> current_setting('application_name')
                        """,
                        row -> true)
                .isPresent();
    }

    private static Duration pause(StoredReading storedReading, Instant now) {
        Duration passed = Duration.between(storedReading.wall(), now);
        if (passed.isNegative()) {
            return Duration.ZERO;
        }
        return passed.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : passed;
    }

    @Override
    public Instant instant() {
        return anchor.later(nanoTime.getAsLong());
    }

    /** How far the steady clock of this database is ahead of the wall clock. */
    public static Duration ahead(Snapshot snapshot) {
        return kept(snapshot)
                .map(storedReading -> Duration.between(storedReading.wall(), storedReading.at()))
                .orElse(Duration.ZERO);
    }

    @Override
    public void start() {
        keeping.start();
    }

    /** Writes down how far it has come, and follows a process that is further. */
    public void keep() {
        Instant agreed =
                database.write(
                        transaction -> {
                            lock(transaction);
                            Instant mine = instant();
                            Instant at =
                                    kept(transaction)
                                            .map(StoredReading::at)
                                            .filter(mine::isBefore)
                                            .orElse(mine);
                            keep(transaction, at, now(transaction));
                            return at;
                        });
        long nanos = nanoTime.getAsLong();
        if (anchor.later(nanos).isBefore(agreed)) {
            anchor = new Reading(agreed, nanos);
        }
    }

    /** Writes down who keeps the clock, and has others on the server wait for the commit. */
    private static void lock(Transaction transaction) {
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            transaction.update(
                    """
                    INSERT INTO steady_clock_keepers (session)
                    VALUES (current_setting('application_name')) ON CONFLICT DO NOTHING
                    """);
            transaction.update("UPDATE steady_clock SET at = at WHERE one = 1");
        }
    }

    private static void keep(Transaction transaction, Instant at, Instant wall) {
        transaction.update(
                """
                INSERT INTO steady_clock (one, at, wall) VALUES (1, ?, ?)
                ON CONFLICT (one) DO UPDATE SET at = excluded.at, wall = excluded.wall""",
                at,
                wall);
    }

    private static Optional<StoredReading> kept(Snapshot snapshot) {
        return snapshot.first(
                "SELECT at, wall FROM steady_clock WHERE one = 1",
                row -> new StoredReading(row.time("at"), row.time("wall")));
    }

    /** On a server its own wall clock, which all processes share. */
    private Instant now(Transaction transaction) {
        return transaction.dialect() == SqlDialect.POSTGRES
                ? transaction
                        .first(
                                "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
                                row -> Instant.ofEpochMilli(row.number(1)))
                        .orElseThrow()
                : wall.instant();
    }

    @Override
    public void close() {
        keeping.close();
    }
}
