package dev.skep.kernel.batch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the worker of a {@link Batcher} does at one time. It can grow while the worker is at it:
 * what is not taken yet waits for this batch or the next. Used by the worker only.
 *
 * @param <T> an entry
 */
public final class Batch<T> {
    private final Batcher<T> batcher;
    private final int largest;
    private final List<T> taken = new ArrayList<>();

    Batch(Batcher<T> batcher, int largest) {
        this.batcher = batcher;
        this.largest = largest;
    }

    /** Takes the next entry that waits; null if none does, or the batch is full. */
    public @Nullable T next() {
        T next = taken.size() < largest ? batcher.poll() : null;
        if (next != null) {
            taken.add(next);
        }
        return next;
    }

    /** Takes all that wait and fit in, and returns all that were taken. */
    public List<T> all() {
        taken.addAll(batcher.take(largest - taken.size()));
        return taken();
    }

    /** What was taken so far, in the order in which it was put. */
    public List<T> taken() {
        return Collections.unmodifiableList(taken);
    }

    /** How many entries wait that are not taken yet. */
    public int waiting() {
        return batcher.waiting();
    }

    /** Waits at most this long until so many entries are queued, and returns how many are. */
    public int await(int count, Duration atMost) throws InterruptedException {
        return batcher.await(count, atMost.toNanos());
    }
}
