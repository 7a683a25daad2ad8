package dev.skep.registry.service;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import java.time.Duration;

/** The periodic work of a registry: a sweep every 15 s, a flush every minute. */
final class Maintenance implements Component {
    private static final Duration SWEEP = Duration.ofSeconds(15);
    private static final int FLUSH = 4;

    private final Registry registry;
    private final PeriodicTask task = new PeriodicTask("registry-rounds", SWEEP, this::round);
    private long number;

    Maintenance(Registry registry) {
        this.registry = registry;
    }

    @Override
    public void start() {
        task.start();
    }

    private void round() {
        number++;
        try {
            registry.sweep();
            if (number % FLUSH == 0) {
                registry.flush();
            }
        } catch (SkepException failure) {
            // A storage failure is logged once, elsewhere.
            if (registry.isStoring()) {
                throw failure;
            }
        }
    }

    @Override
    public void close() {
        task.close();
    }
}
