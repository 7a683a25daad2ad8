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
    private final int maxLetters;
    private final long maxBytes;
    private final Consumer<RuntimeException> onFailure;
    private final Deque<Task> tasks = new ArrayDeque<>(2);
    private int letters;
    private long bytes;
    private boolean working;
    private boolean closed;

    private record Task(Runnable work, long size, boolean letter) {}

    /**
     * A mailbox without letters.
     *
     * @param maxLetters letters of the peer that may wait
     * @param maxBytes bytes of letters that may wait; one letter always fits
     * @param onFailure told of what a task threw; the tasks after it still run
     */
    public SerialExecutor(int maxLetters, long maxBytes, Consumer<RuntimeException> onFailure) {
        this.maxLetters = maxLetters;
        this.maxBytes = maxBytes;
        this.onFailure = onFailure;
    }

    /** Adds what the peer sent; false if more of its letters wait than any peer of ours sends. */
    public synchronized boolean submitReceived(long size, Runnable work) {
        boolean full = letters >= maxLetters || (letters > 0 && bytes + size > maxBytes);
        if (full && !closed) {
            return false;
        }
        letters++;
        bytes += size;
        add(new Task(work, size, true));
        return true;
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
        if (task == null) {
            working = false;
        } else if (task.letter) {
            letters--;
            bytes -= task.size;
        }
        return task;
    }

    /** Whether nothing waits. */
    public synchronized boolean isEmpty() {
        return tasks.isEmpty();
    }
}
