package dev.skep.models.gateway;

import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends a call from outside: its thread is interrupted while it asks the provider, and never while
 * it writes what that cost. Thread-safe.
 */
final class Cancellation {
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private @Nullable Thread asking;

    synchronized void cancel() {
        cancelled.countDown();
        if (asking != null) {
            asking.interrupt();
        }
    }

    boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    /** From here on the calling thread may be interrupted. */
    synchronized void beginAsking() throws InterruptedIOException {
        if (isCancelled()) {
            throw new InterruptedIOException("cancelled");
        }
        asking = Thread.currentThread();
    }

    /** From here on it is not, and an interrupt that came is taken back. */
    synchronized void endAsking() {
        asking = null;
        if (Thread.interrupted()) {
            cancelled.countDown();
        }
    }

    /** Waits for a while, or until the call is ended from outside. */
    void await(Duration time) {
        try {
            cancelled.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            cancelled.countDown();
        }
    }
}
