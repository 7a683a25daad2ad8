package dev.skep.store.clock;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock by which rows age: how long their database has been at work. Every synced row carries
 * its reading at the time of storage. It advances by monotonic time while a process runs, and over
 * a restart by how far the wall clock is beyond its highest reading so far, at most {@link
 * #LONGEST_PAUSE}; more only if an operator confirms it. All processes on a database share it: each
 * offers how far it has come, and the furthest counts.
 *
 * <p>It is not the {@link SteadyClock}, which deadlines count by. That one goes on from the last
 * wall time, so that a clock that was wrong for a while holds up no lease for as long; ages must
 * not grow each time a clock goes back and forth. And an operator who lets ages catch up must not
 * end every lease and session with it. Thread-safe.
 */
public final class RetentionClock implements Component {
    /** Longer pauses are taken for a wrong clock: rows then stay longer, rather than go. */
    public static final Duration LONGEST_PAUSE = Duration.ofDays(7);

    /** The clock's reading within a statement. */
    public static final String NOW = "(SELECT at FROM retention_clock)";

    private static final Logger LOG = LoggerFactory.getLogger(RetentionClock.class);
    private static final Duration KEPT_EVERY = Duration.ofSeconds(30);

    private final Database database;
    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final PeriodicTask keeping =
            new PeriodicTask("retention-clock", KEPT_EVERY, this::keep);
    private final Reading opened;

    /** Where the database's clock was last, which others may have moved. */
    private volatile Reading shared;

    /** The clock's reading at a monotonic time. */
    private record Reading(long at, long nanos) {
        long later(long now) {
            return at + TimeUnit.NANOSECONDS.toMillis(now - nanos);
        }
    }

    private RetentionClock(
            Database database,
            InstantSource wall,
            LongSupplier nanoTime,
            Reading opened,
            Reading shared) {
        this.database = database;
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.opened = opened;
        this.shared = shared;
    }

    /** Goes on where the database's clock is. */
    public static RetentionClock open(
            Database database, InstantSource wall, LongSupplier nanoTime) {
        return open(database, wall, nanoTime, LONGEST_PAUSE);
    }

    /** The same where time has another scale. */
    public static RetentionClock open(
            Database database, InstantSource wall, LongSupplier nanoTime, Duration longestPause) {
        RetentionClockState resumed =
                database.write(tx -> set(tx, locked(tx).resumed(wall.millis(), longestPause)));
        if (resumed.held() > 0) {
            LOG.warn(
                    "the clock has jumped over {} days that rows have not aged by; see: skep retention",
                    Duration.ofMillis(resumed.held()).toDays());
        }
        var opened = new Reading(resumed.at(), nanoTime.getAsLong());
        return new RetentionClock(database, wall, nanoTime, opened, opened);
    }

    /** The same clock, whose database was closed for a moment and opened again. */
    public RetentionClock on(Database reopened) {
        return new RetentionClock(reopened, wall, nanoTime, opened, shared);
    }

    /**
     * How far this process has come, for what ages in its memory. Time that an operator adds
     * meanwhile is not included, so that nothing ages by years between two readings.
     */
    public long now() {
        return opened.later(nanoTime.getAsLong());
    }

    /**
     * Stores how far it has come, and returns it. If another process or an operator has moved the
     * clock further, it continues from there.
     */
    public long keep() {
        long agreed =
                database.write(
                        tx -> {
                            move(tx, shared.later(nanoTime.getAsLong()), wall.millis());
                            return read(tx).at();
                        });
        long nanos = nanoTime.getAsLong();
        if (shared.later(nanos) < agreed) {
            shared = new Reading(agreed, nanos);
        }
        return agreed;
    }

    /** Forward only, in one statement: another process may do the same at this moment. */
    private static void move(Transaction transaction, long at, long wall) {
        transaction.update(
                """
                UPDATE retention_clock SET at = CASE WHEN at < ? THEN ? ELSE at END,
                    highest = CASE WHEN highest < ? THEN ? ELSE highest END
                WHERE one = 1
                """,
                at,
                at,
                wall,
                wall);
    }

    public static RetentionClockState read(Snapshot snapshot) {
        return snapshot.first(
                        "SELECT at, highest, held FROM retention_clock WHERE one = 1",
                        row ->
                                new RetentionClockState(
                                        row.number("at"),
                                        row.number("highest"),
                                        row.number("held")))
                .orElse(RetentionClockState.NEW);
    }

    /** How long ago old rows were last looked for; empty before the first time. */
    public static Optional<Duration> sinceRound(Snapshot snapshot) {
        return snapshot.first(
                "SELECT at - round_at FROM retention_clock WHERE one = 1 AND round_at > 0",
                row -> Duration.ofMillis(row.number(1)));
    }

    /**
     * Applies an operator's decision whether skipped time did pass; returns what was held before.
     */
    public static Duration decide(Transaction transaction, boolean passed) {
        RetentionClockState before = locked(transaction);
        RetentionClockState unused =
                set(transaction, passed ? before.counted() : before.dismissed());
        return Duration.ofMillis(before.held());
    }

    /** Read for writing: what other processes do to it waits for the commit. */
    private static RetentionClockState locked(Transaction transaction) {
        transaction.update("UPDATE retention_clock SET at = at WHERE one = 1");
        return read(transaction);
    }

    private static RetentionClockState set(
            Transaction transaction, RetentionClockState retentionClockState) {
        transaction.update(
                "UPDATE retention_clock SET at = ?, highest = ?, held = ? WHERE one = 1",
                retentionClockState.at(),
                retentionClockState.highest(),
                retentionClockState.held());
        return retentionClockState;
    }

    /**
     * Whether it is time for a round, in this process or another on the database; the answer is yes
     * once. Rounds that come more often would purge more than is bearable.
     */
    public boolean beginsRound(Duration every) {
        long now = keep();
        return database.write(
                tx ->
                        tx.update(
                                        """
                                        UPDATE retention_clock SET round_at = ?
                                        WHERE one = 1 AND (round_at = 0 OR round_at <= ?)
                                        """,
                                        now,
                                        now - every.toMillis())
                                > 0);
    }

    @Override
    public void start() {
        keeping.start();
    }

    @Override
    public void close() {
        keeping.close();
    }
}
