package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Redis match the ledger: at the start, after Redis came back empty, and after a step of ours
 * did not reach it. Surplus entries in Redis are refused by the ledger at the claim, or found among
 * the {@link OrphanedRunCleaner}.
 */
final class RedisReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(RedisReconciler.class);
    private static final int PAGE = 500;

    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final RedisQueues queues;
    private final AtomicBoolean needed = new AtomicBoolean(true);

    RedisReconciler(QueueDependencies queueDependencies, JobLedger ledger, RedisQueues queues) {
        this.queueDependencies = queueDependencies;
        this.ledger = ledger;
        this.queues = queues;
    }

    /** Something did not reach Redis; to be repaired with the next sweep. */
    void ask() {
        needed.set(true);
    }

    /** Repairs if that was asked for. */
    synchronized void repairIfAsked() {
        if (!needed.getAndSet(false)) {
            return;
        }
        try {
            repair();
        } catch (RuntimeException e) {
            needed.set(true);
            throw e;
        }
    }

    private void repair() {
        queueDependencies.database().write(transaction -> ledger.runs().takeOver(transaction));
        // First what runs, so that no host gets more than its limit; then what waits.
        List<Run> running = queueDependencies.database().read(ledger.lookup()::running);
        for (int from = 0; from < running.size(); from += PAGE) {
            queues.restore(running.subList(from, Math.min(running.size(), from + PAGE)));
        }
        long waiting = enqueueAll();
        queues.markFilled();
        LOG.info("queues reconciled running={} waiting={}", running.size(), waiting);
    }

    private long enqueueAll() {
        long count = 0;
        List<WaitingRuns.Waiting> page = after("");
        while (!page.isEmpty()) {
            queues.enqueue(page);
            count += page.size();
            page = after(page.getLast().assignment().run().value());
        }
        return count;
    }

    private List<WaitingRuns.Waiting> after(String run) {
        return queueDependencies
                .database()
                .read(snapshot -> WaitingRuns.outside(snapshot, run, PAGE));
    }
}
