package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.store.Transaction;

/** Is called inside the transaction that ends jobs. */
@FunctionalInterface
public interface JobEndListener {
    JobEndListener NONE = (transaction, run, status) -> {};

    void over(Transaction transaction, FinishedRun run, RunStatus status);
}
