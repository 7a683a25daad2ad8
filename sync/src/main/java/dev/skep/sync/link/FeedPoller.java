package dev.skep.sync.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the feed when it moved, and once a second in case nobody said so. Moves during a read are
 * one more read, however many they are.
 */
final class FeedPoller implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(FeedPoller.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final Runnable read;
    private final Semaphore moved = new Semaphore(0);
    private @Nullable Thread thread;

    FeedPoller(Runnable read) {
        this.read = read;
    }

    /** The feed may have moved; never waits. */
    void wake() {
        if (moved.availablePermits() == 0) {
            moved.release();
        }
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("feed-reader").start(this::readForEver);
    }

    private void readForEver() {
        boolean failing = false;
        try {
            while (true) {
                moved.tryAcquire(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
                moved.drainPermits();
                try {
                    read.run();
                    if (failing) {
                        LOG.info("feed read again");
                    }
                    failing = false;
                } catch (SkepException e) {
                    if (!failing) {
                        LOG.error("feed not read code={} {}", e.code().code(), e.getMessage());
                    }
                    failing = true;
                }
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
