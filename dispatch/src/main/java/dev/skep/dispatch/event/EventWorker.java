package dev.skep.dispatch.event;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does its work when it is woken, and once a second in case nobody said so; calls in between are
 * one more turn, however many they are.
 */
final class EventWorker implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(EventWorker.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    /** A busy queue commits far more often than anybody can tell apart. */
    private static final Duration BREATH = Duration.ofMillis(50);

    private final Runnable turn;
    private final Semaphore woken = new Semaphore(0);
    private volatile boolean closed;
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    EventWorker(Runnable turn) {
        this.turn = turn;
    }

    /** There may be something to do; never waits. */
    void wake() {
        if (woken.availablePermits() == 0) {
            woken.release();
        }
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("events").start(this::run);
    }

    private void run() {
        boolean failing = false;
        try {
            while (!closed) {
                woken.tryAcquire(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                woken.drainPermits();
                failing = failed(failing);
                Thread.sleep(BREATH);
            }
            failed(failing);
        } catch (InterruptedException e) {
            // closed
        }
    }

    private boolean failed(boolean before) {
        try {
            turn.run();
            if (before) {
                LOG.info("events are published again");
            }
            return false;
        } catch (SkepException e) {
            if (!before && !closed) {
                LOG.warn("events are not published code={} {}", e.code().code(), e.getMessage());
            }
            return true;
        }
    }

    /** What happened until now is told in one more turn. */
    @Override
    public void close() {
        closed = true;
        woken.release();
        try {
            if (thread.isAlive() && !thread.join(Duration.ofSeconds(2))) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
