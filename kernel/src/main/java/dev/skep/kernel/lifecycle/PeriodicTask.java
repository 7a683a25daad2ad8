package dev.skep.kernel.lifecycle;

import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a task again and again on a thread of its own, with a pause in between. A failure never ends
 * it: it is logged once, and once more when the task works again.
 */
public final class PeriodicTask implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);
    private static final Duration MAY_FINISH = Duration.ofSeconds(2);

    /** One round. */
    @FunctionalInterface
    public interface Work {
        void run() throws InterruptedException;
    }

    private final String name;
    private final Duration first;
    private final Duration pause;
    private final Work work;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    /** A task whose first round comes after a pause, too. */
    public PeriodicTask(String name, Duration pause, Work work) {
        this(name, pause, pause, work);
    }

    /**
     * Does nothing before it is started.
     *
     * @param name of its thread, and in the log
     * @param first how long after the start the first round comes
     */
    public PeriodicTask(String name, Duration first, Duration pause, Work work) {
        this.name = name;
        this.first = first;
        this.pause = pause;
        this.work = work;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name(name).start(this::run);
    }

    private void run() {
        boolean failing = false;
        Duration wait = first;
        try {
            while (!closed.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                wait = pause;
                try {
                    work.run();
                    if (failing) {
                        LOG.info("works again task={}", name);
                        failing = false;
                    }
                } catch (RuntimeException e) {
                    if (!failing && closed.getCount() > 0) {
                        log(e);
                        failing = true;
                    }
                }
            }
        } catch (InterruptedException e) {
            // closing
        }
    }

    private void log(RuntimeException failure) {
        if (SkepException.tellsAll(failure)) {
            LOG.warn("failed, will be tried again task={} {}", name, failure.getMessage());
        } else {
            LOG.warn("failed, will be tried again task={}", name, failure);
        }
    }

    /** Lets a round that runs finish, for a moment. */
    @Override
    public void close() {
        closed.countDown();
        try {
            if (!thread.join(MAY_FINISH)) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
