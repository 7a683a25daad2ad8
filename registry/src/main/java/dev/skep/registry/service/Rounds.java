package dev.skep.registry.service;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a registry does by itself: sweep every 15 s, flush every minute. */
final class Rounds implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
    private static final Duration SWEEP = Duration.ofSeconds(15);
    private static final int FLUSH = 4;

    private final Registry registry;
    private @Nullable Thread thread;

    Rounds(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void start() {
        thread = Thread.ofVirtual().name("registry-rounds").start(this::run);
    }

    private void run() {
        try {
            for (long round = 1; ; round++) {
                Thread.sleep(SWEEP);
                round(round);
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void round(long number) {
        try {
            registry.sweep();
            if (number % FLUSH == 0) {
                registry.flush();
            }
        } catch (SkepException failure) {
            // The next round tries again; that nothing can be stored is told once, elsewhere.
            if (registry.isStoring()) {
                LOG.warn("a round of the registry failed reason={}", failure.getMessage());
            }
        }
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.interrupt();
            try {
                thread.join(Duration.ofSeconds(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
