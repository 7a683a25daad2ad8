package dev.skep.dispatch.batch;

import dev.skep.kernel.batch.Batcher;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Work that runs while its caller does something else.
 *
 * @param <T> its result
 */
public final class ConcurrentTask<T> {
    private final FutureTask<T> task;

    private ConcurrentTask(FutureTask<T> task) {
        this.task = task;
    }

    public static <T> ConcurrentTask<T> begin(Supplier<T> work) {
        FutureTask<T> task = new FutureTask<>(work::get);
        Thread.startVirtualThread(task);
        return new ConcurrentTask<>(task);
    }

    /** Waits until it is done, and throws what it threw. */
    public T await() {
        try {
            return Batcher.outcome(task);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(
                    ErrorCode.CLOSED, "interrupted while waiting; it may or may not be done", e);
        }
    }
}
