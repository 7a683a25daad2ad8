package dev.skep.kernel.lifecycle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The components of one process, started in order and closed in reverse within a deadline. A failed
 * start closes what had started. Thread-safe; {@link #close} runs once, however often it is called.
 */
public final class Lifecycle implements AutoCloseable {
    /** How long SIGTERM may take before the process exits and names what is unfinished. */
    public static final Duration DEADLINE = Duration.ofSeconds(5);

    private record Named(String name, AutoCloseable closeable) {}

    /** What each component gets even when those before it used the deadline up. */
    private static final Duration LEAST = Duration.ofMillis(100);

    private final Duration deadline;
    private final Deque<Named> open = new ArrayDeque<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private List<String> unfinished = List.of();
    private boolean closing;

    public Lifecycle() {
        this(DEADLINE);
    }

    public Lifecycle(Duration deadline) {
        this.deadline = deadline;
    }

    /** Starts the component now and closes it, after those added later, at the end. */
    public <C extends Component> C start(String name, C component) {
        own(name, component);
        try {
            component.start();
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
        return component;
    }

    /** Takes over the closing of something that is already open. */
    public synchronized <C extends AutoCloseable> C own(String name, C closeable) {
        if (closing) {
            throw new IllegalStateException("closing; cannot take " + name);
        }
        open.push(new Named(name, closeable));
        return closeable;
    }

    /** Waits until this lifecycle is closed. */
    public void awaitClose() throws InterruptedException {
        closed.await();
    }

    /** The components that did not close in time or failed to; empty after a clean shutdown. */
    public synchronized List<String> unfinished() {
        return unfinished;
    }

    @Override
    public void close() {
        List<Named> toClose;
        synchronized (this) {
            if (closing) {
                return;
            }
            closing = true;
            toClose = new ArrayList<>(open);
            open.clear();
        }
        List<String> left = new ArrayList<>();
        long end = System.nanoTime() + deadline.toNanos();
        for (Named each : toClose) {
            if (!closeBefore(end, each)) {
                left.add(each.name);
            }
        }
        synchronized (this) {
            unfinished = List.copyOf(left);
        }
        closed.countDown();
    }

    private static boolean closeBefore(long end, Named each) {
        var failed = new boolean[1];
        Thread closer =
                Thread.ofVirtual()
                        .name("close-" + each.name)
                        .start(
                                () -> {
                                    try {
                                        each.closeable.close();
                                    } catch (Exception e) {
                                        failed[0] = true;
                                    }
                                });
        try {
            long left = Math.max(LEAST.toNanos(), end - System.nanoTime());
            return closer.join(Duration.ofNanos(left)) && !failed[0];
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
