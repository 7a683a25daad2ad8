package dev.skep.transport.link;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one task after the other for one link, on a virtual thread that exists while there is work.
 * What a peer can cause is bounded; thread-safe.
 */
public final class SerialExecutor {
    private final int maxReceived;
    private final long maxBytes;
    private final Consumer<RuntimeException> onFailure;
    private final Deque<Task> tasks = new ArrayDeque<>(2);
    private int received;
    private long bytes;
    private boolean working;
    private boolean closed;

    private record Task(Runnable work, long size, boolean isReceived) {}

    /**
     * Has no tasks yet.
     *
     * @param maxReceived messages of the peer that may wait
     * @param maxBytes bytes of them that may wait; one message always fits
     * @param onFailure receives what a task threw; the tasks after it still run
     */
    public SerialExecutor(int maxReceived, long maxBytes, Consumer<RuntimeException> onFailure) {
        this.maxReceived = maxReceived;
        this.maxBytes = maxBytes;
        this.onFailure = onFailure;
    }

    /** Adds what the peer sent; false if more of it waits than any peer of ours sends. */
    public synchronized boolean submitReceived(long size, Runnable work) {
        boolean full = received >= maxReceived || (received > 0 && bytes + size > maxBytes);
        if (full && !closed) {
            return false;
        }
        received++;
        bytes += size;
        add(new Task(work, size, true));
        return true;
    }

    /** Adds work, waiting while other work waits for the task that runs. */
    public synchronized void submitInTurn(Runnable work) throws InterruptedException {
        while (!closed && !tasks.isEmpty()) {
            wait();
        }
        run(work);
    }

    /** Adds work of this process's own, of which there is little at a time. */
    public synchronized void run(Runnable work) {
        add(new Task(work, 0, false));
    }

    /** Drops what waits, and runs the last task. */
    public synchronized void close(Runnable last) {
        if (!closed) {
            tasks.clear();
            end(last);
        }
    }

    /** Takes nothing more; runs what waits, and then the last task. */
    public synchronized void end(Runnable last) {
        if (!closed) {
            add(new Task(last, 0, false));
            closed = true;
            notifyAll();
        }
    }

    private void add(Task task) {
        if (closed) {
            return;
        }
        tasks.add(task);
        if (!working) {
            working = true;
            Thread.ofVirtual().name("link").start(this::work);
        }
    }

    private void work() {
        for (Task task = next(); task != null; task = next()) {
            try {
                task.work.run();
            } catch (RuntimeException failure) {
                onFailure.accept(failure);
            }
        }
    }

    private synchronized @Nullable Task next() {
        Task task = tasks.poll();
        notifyAll();
        if (task == null) {
            working = false;
        } else if (task.isReceived) {
            received--;
            bytes -= task.size;
        }
        return task;
    }

    /** Whether nothing waits. */
    public synchronized boolean isEmpty() {
        return tasks.isEmpty();
    }
}
