package dev.skep.dispatch.assembly;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something again and again, a pause between; a failure is logged once until it works. */
final class Repeated implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Repeated.class);

    /** What is repeated; what it returns is of no interest here. */
    @FunctionalInterface
    interface Work {
        Object act() throws InterruptedException;
    }

    private final String name;
    private final Duration pause;
    private final Work work;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Thread thread = Thread.ofVirtual().unstarted(() -> {});

    Repeated(String name, Duration pause, Work work) {
        this.name = name;
        this.pause = pause;
        this.work = work;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name(name).start(this::run);
    }

    private void run() {
        boolean failing = false;
        try {
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    work.act();
                    if (failing) {
                        LOG.info("works again task={}", name);
                        failing = false;
                    }
                } catch (RuntimeException e) {
                    if (!failing && closed.getCount() > 0) {
                        tell(e);
                        failing = true;
                    }
                }
            }
        } catch (InterruptedException e) {
            // closing
        }
    }

    private void tell(RuntimeException failure) {
        if (SkepException.tellsAll(failure)) {
            LOG.warn("failed, will be tried again task={} {}", name, failure.getMessage());
        } else {
            LOG.warn("failed, will be tried again task={}", name, failure);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            if (!thread.join(Duration.ofSeconds(2))) {
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
