package dev.skep.kernel.batch;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue and the one worker that takes from it, in batches: while one is under way, the
 * next gathers. The more callers wait, the larger the batches, so what a batch costs once (a
 * commit, a round trip) is shared by all in it. Every entry is worked on or refused. Thread-safe.
 *
 * @param <T> an entry
 */
public final class Batcher<T> implements Component {
    /**
     * How much a batcher holds, and how long.
     *
     * @param capacity how many entries wait at most; a caller that adds one more waits for room
     * @param largest how many entries a batch has at most
     * @param patience how long closing lets the worker go on with what waits, before it is
     *     interrupted and the rest is refused
     */
    public record Limits(int capacity, int largest, Duration patience) {}

    /** Works on a batch, of which it takes at least one entry; if it throws, the batcher ends. */
    @FunctionalInterface
    public interface Work<T> {
        void on(Batch<T> batch) throws InterruptedException;
    }

    /** A worker that is not waiting needs no wake-up. */
    private static final int WHILE_BUSY = Integer.MAX_VALUE;

    private final String name;
    private final Thread.Builder thread;
    private final Limits limits;
    private final Work<T> work;
    private final Consumer<T> refuse;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition came = lock.newCondition();
    private final Condition room = lock.newCondition();

    /** Guarded by the lock, as is how many of them the worker waits for. */
    private final Deque<T> waiting = new ArrayDeque<>();

    private int wanted = WHILE_BUSY;
    private boolean closed;
    private volatile @Nullable Thread worker;

    /**
     * Begins to work once started, on a virtual thread.
     *
     * @param refuse receives each entry that will not be processed any more; must not block
     */
    public Batcher(String name, Limits limits, Work<T> work, Consumer<T> refuse) {
        this(name, Thread.ofVirtual(), limits, work, refuse);
    }

    /** The same on a thread of another kind. */
    public Batcher(
            String name, Thread.Builder thread, Limits limits, Work<T> work, Consumer<T> refuse) {
        this.name = name;
        this.thread = thread;
        this.limits = limits;
        this.work = work;
        this.refuse = refuse;
    }

    @Override
    public void start() {
        Thread started = thread.name(name).unstarted(this::run);
        worker = started;
        started.start();
    }

    /** Whether the caller is the worker itself, which must not wait for what it would do. */
    public boolean isWorker() {
        return Thread.currentThread() == worker;
    }

    /** Waits for room; what comes after the close is refused. */
    public void put(T entry) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && waiting.size() >= limits.capacity()) {
                room.await();
            }
            if (!closed) {
                add(entry);
                return;
            }
        } finally {
            lock.unlock();
        }
        refuse.accept(entry);
    }

    /** Never waits; false if there is no room or the batcher is closed. */
    public boolean offer(T entry) {
        lock.lock();
        try {
            if (closed || waiting.size() >= limits.capacity()) {
                return false;
            }
            add(entry);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void add(T entry) {
        waiting.add(entry);
        if (waiting.size() >= wanted) {
            came.signal();
        }
    }

    /** Puts an entry and waits for its answer; what it failed with, the caller gets. */
    public <R> R call(T entry, Future<R> answer) {
        try {
            put(entry);
            return outcome(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(
                    ErrorCode.CLOSED,
                    "interrupted while waiting for %s; it may or may not be done".formatted(name),
                    e);
        }
    }

    /** The result of a call, or what it threw, unwrapped. */
    public static <R> R outcome(Future<R> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    private void run() {
        try {
            while (awaitEntry()) {
                work(new Batch<>(this, limits.largest()));
            }
        } catch (InterruptedException e) {
            // closing took longer than it may
        } finally {
            refuseAll();
        }
    }

    /** Waits for something to do; false when this is closed and nothing is left. */
    private boolean awaitEntry() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            wanted = 1;
            while (waiting.isEmpty() && !closed) {
                came.await();
            }
            return !waiting.isEmpty();
        } finally {
            wanted = WHILE_BUSY;
            lock.unlock();
        }
    }

    private void work(Batch<T> batch) throws InterruptedException {
        try {
            work.on(batch);
        } catch (RuntimeException | Error failure) {
            batch.taken().forEach(refuse);
            throw failure;
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    /** Waits at most this long until so many entries are queued, and returns how many are. */
    int await(int count, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            wanted = count;
            for (long left = nanos; left > 0 && waiting.size() < count && !closed; ) {
                left = came.awaitNanos(left);
            }
            return waiting.size();
        } finally {
            wanted = WHILE_BUSY;
            lock.unlock();
        }
    }

    /** Takes up to so many queued entries. */
    List<T> take(int atMost) {
        lock.lock();
        try {
            List<T> taken = new ArrayList<>(Math.min(waiting.size(), atMost));
            while (taken.size() < atMost && !waiting.isEmpty()) {
                taken.add(waiting.poll());
            }
            room.signalAll();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Takes one of those that wait; null if none does. */
    @Nullable T poll() {
        lock.lock();
        try {
            T next = waiting.poll();
            room.signal();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void shut() {
        lock.lock();
        try {
            closed = true;
            came.signal();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void refuseAll() {
        shut();
        take(Integer.MAX_VALUE).forEach(refuse);
    }

    /** Works on what was put before, within its patience; refuses the rest. */
    @Override
    public void close() {
        shut();
        Thread running = worker;
        if (running == null) {
            refuseAll();
        } else if (!ends(running)) {
            refuseAll();
            running.interrupt();
        }
    }

    private boolean ends(Thread running) {
        try {
            return running.join(limits.patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
