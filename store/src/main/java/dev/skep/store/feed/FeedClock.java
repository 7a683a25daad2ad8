package dev.skep.store.feed;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Position;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;

/**
 * The one source of stamps of a database. A stamp is taken inside the transaction that uses it and
 * locks the clock until its commit, so stamp order is commit order on both databases; nothing is
 * cached. Thread-safe.
 *
 * <p>An epoch opens at every process start: after a restore from an old backup the numbers go on in
 * a new epoch, so two timelines never share a position.
 */
public final class FeedClock {
    /** Epoch numbers follow the clock from here, 128 a second, until 2051; then they count on. */
    private static final long EPOCH_ZERO_SECONDS = 1_767_225_600;

    /** The PostgreSQL channel that notifies other processes of commits that took stamps. */
    public static final String CHANNEL = "skep_feed";

    private static final int EPOCHS_A_SECOND = 128;

    /** Two timelines that open an epoch in the same minutes meet with this chance. */
    private static final int CHANCE = 65_536;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public FeedClock(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    /** Opens this process's epoch; called once, before the first stamp. */
    public void start(Database database) {
        database.write(transaction -> openEpoch(transaction, 0));
    }

    /** Runs the listener after each commit that took stamps. It must not block. */
    public void onAdvanced(Runnable listener) {
        listeners.add(listener);
    }

    /** Takes {@code count} consecutive stamps and returns the first. */
    public long take(Transaction transaction, int count) {
        long last = advance(transaction, count);
        long first = last - count + 1;
        if (Position.epoch(first - 1) != Position.epoch(last)) {
            // The epoch is full: put the clock back to where it was and go on in a new one.
            transaction.update("UPDATE feed_clock SET pos = ? WHERE one = 1", first - 1);
            openEpoch(transaction, 0);
            first = advance(transaction, count) - count + 1;
        }
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            // Sent by the server with the commit; the same notice twice in one is sent once.
            transaction.first("SELECT pg_notify(?, '')", row -> true, CHANNEL);
        }
        transaction.afterCommit(this::notifyMoved);
        return first;
    }

    private static long advance(Transaction transaction, int count) {
        return transaction
                .first(
                        "UPDATE feed_clock SET pos = pos + ? WHERE one = 1 RETURNING pos",
                        row -> row.number(1),
                        count)
                .orElseThrow();
    }

    /**
     * Closes the open epoch and opens one above it and above {@code aboveEpoch}, which may come
     * from a peer: an impossible one is refused.
     */
    public long openEpoch(Transaction transaction, long aboveEpoch) {
        if (!Position.isCredible(aboveEpoch, 0)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "epoch %d is beyond any that can have been opened".formatted(aboveEpoch));
        }
        long now = advance(transaction, 0);
        long open = Position.epoch(now);
        if (open > 0) {
            transaction.update(
                    "INSERT INTO epochs (epoch, end_n) VALUES (?, ?)", open, Position.n(now));
        }
        long epoch = nextEpoch(Math.max(open, aboveEpoch), clock, random);
        transaction.update("UPDATE feed_clock SET pos = ? WHERE one = 1", Position.of(epoch, 0));
        return epoch;
    }

    /**
     * A number above the last one that no other timeline of this database is likely to choose: also
     * if the machine's clock went back, and if both started within the same minutes.
     */
    public static long nextEpoch(long last, InstantSource clock, RandomGenerator random) {
        long seconds = clock.instant().getEpochSecond() - EPOCH_ZERO_SECONDS;
        long byClock =
                Math.min(
                        seconds / (CHANCE / EPOCHS_A_SECOND) * CHANCE, Position.MAX_EPOCH_BY_CLOCK);
        if (last >= Position.MAX_EPOCH) {
            throw new SkepException(
                    ErrorCode.INTERNAL, "this database has used up its epochs; restore a backup");
        }
        return Math.min(Math.max(last + 1, byClock) + random.nextInt(CHANCE), Position.MAX_EPOCH);
    }

    /** The last stamp taken. */
    public long now(Snapshot snapshot) {
        return snapshot.first("SELECT pos FROM feed_clock", row -> row.number(1)).orElseThrow();
    }

    /** Whether this timeline made the position; one from a lost timeline is not known. */
    public boolean isKnown(Snapshot snapshot, long position) {
        if (position == Position.NONE) {
            return true;
        }
        long now = now(snapshot);
        if (Position.epoch(position) == Position.epoch(now)) {
            return position <= now;
        }
        return snapshot.first(
                        "SELECT end_n FROM epochs WHERE epoch = ?",
                        row -> row.number(1),
                        Position.epoch(position))
                .filter(end -> Position.n(position) <= end)
                .isPresent();
    }

    private void notifyMoved() {
        listeners.forEach(Runnable::run);
    }
}
