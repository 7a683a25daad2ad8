package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.Run;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Wakes runs whose time has come. That is a time of day, which people choose. Retries depend on
 * elapsed time instead, so they are brought forward when the wall clock is set back, and when a
 * process starts, since the clock may have been set before. Not thread-safe.
 */
public final class DueRunScheduler {
    /** Less than this is the clock being kept right, and a retry can wait for it. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private final QueueDependencies queueDependencies;
    private final RunStore runs;
    private volatile @Nullable Duration ahead;

    public DueRunScheduler(QueueDependencies queueDependencies, JobLedger ledger) {
        this.queueDependencies = queueDependencies;
        this.runs = ledger.runs();
    }

    public List<Run> wake(Transaction transaction, int limit) {
        Instant now = queueDependencies.clock().instant();
        Duration before = ahead;
        Duration after = ahead(now);
        if (before == null || after.minus(before).compareTo(STEP) > 0) {
            runs.retryBy(transaction, now.plus(queueDependencies.rules().longestWait()));
        }
        // What was not committed is done again.
        transaction.afterCommit(() -> ahead = after);
        return runs.wake(transaction, now, limit);
    }

    /** How far the steady clock is ahead of the wall clock. */
    private Duration ahead(Instant now) {
        return Duration.between(now, queueDependencies.steady().instant());
    }
}
