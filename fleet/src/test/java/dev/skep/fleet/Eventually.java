package dev.skep.fleet;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads and processes bring about. */
final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Eventually() {}

    static void holds(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not come about: " + what);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
