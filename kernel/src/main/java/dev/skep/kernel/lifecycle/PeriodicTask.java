package dev.skep.kernel.lifecycle;

import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task again and again on a thread of its own, with a pause in between that {@link #wake}
 * ends. A failure never ends it: it is logged once, tried again after some seconds at most, and
 * logged once more when the task works again.
 */
public final class PeriodicTask implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
    private static final Duration MAY_FINISH = Duration.ofSeconds(2);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

    /** One round. */
    @FunctionalInterface
    public interface Work {
        void run() throws InterruptedException;
    }

    private final String name;
    private final Duration first;
    private final Supplier<Duration> pause;
    private final Work work;
    private final Semaphore woken = new Semaphore(0);
    private volatile boolean closed;
    private boolean lastRound;
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /** A task whose first round comes after a pause, too. */
    public PeriodicTask(String name, Duration pause, Work work) {
        this(name, pause, pause, work);
    }

    /** A task that returns the next pause after each round. */
    public PeriodicTask(String name, Duration first, Supplier<Duration> pause, Work work) {
        this.name = name;
        this.first = first;
        this.pause = pause;
        this.work = work;
    }

    /**
     * Does nothing before it is started.
     *
     * @param name of its thread, and in the log
     * @param first how long after the start the first round comes
     */
    public PeriodicTask(String name, Duration first, Duration pause, Work work) {
        this(name, first, () -> pause, work);
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name(name).start(this::run);
    }

    /** Has the close run one more round, for what happened until then. */
    public PeriodicTask withLastRound() {
        lastRound = true;
        return this;
    }

    /**
     * The next round comes now; what happens during a round leads to another one, and to no more
     * than one. Never waits.
     */
    public void wake() {
        if (woken.availablePermits() == 0) {
            woken.release();
        }
    }

    private void run() {
        boolean failing = false;
        try {
            await(first);
            while (!closed) {
                boolean failed = !runs(failing);
                failing = failed;
                Duration next = pause.get();
                await(failed && next.compareTo(AFTER_FAILURE) > 0 ? AFTER_FAILURE : next);
            }
            if (lastRound) {
                boolean _ = runs(failing);
            }
        } catch (InterruptedException e) {
            // closing
        }
    }

    private void await(Duration time) throws InterruptedException {
        boolean unused = woken.tryAcquire(time.toMillis(), TimeUnit.MILLISECONDS);
        woken.drainPermits();
    }

    private boolean runs(boolean failing) throws InterruptedException {
        try {
            work.run();
            if (failing) {
                LOG.info("works again task={}", name);
            }
            return true;
        } catch (RuntimeException e) {
            if (!failing && !closed) {
                log(e);
            }
            return false;
        }
    }

    private void log(RuntimeException failure) {
        if (SkepException.isSelfExplanatory(failure)) {
            LOG.warn("failed, will be tried again task={} {}", name, failure.getMessage());
        } else {
            LOG.warn("failed, will be tried again task={}", name, failure);
        }
    }

    /** Lets a round that runs finish, for a moment; an interrupt would fail it half-way. */
    @Override
    public void close() {
        closed = true;
        woken.release();
        try {
            if (thread.isAlive() && !thread.join(MAY_FINISH)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
