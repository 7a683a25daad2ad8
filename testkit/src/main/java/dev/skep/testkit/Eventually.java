package dev.skep.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for what other threads and processes bring about, where they send no signal. The only poll
 * of the tests.
 */
public final class Eventually {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(5);

    private Eventually() {}

    /** Fails if it does not come about within a minute. */
    public static void holds(String what, Callable<Boolean> condition) {
        holds(what, PATIENCE, condition);
    }

    public static void holds(String what, Duration patience, Callable<Boolean> condition) {
        present(what, patience, () -> condition.call() ? Optional.of(true) : Optional.empty());
    }

    /** What there is once there is something; fails if there is nothing within a minute. */
    public static <T> T present(String what, Callable<Optional<T>> source) {
        return present(what, PATIENCE, source);
    }

    public static <T> T present(String what, Duration patience, Callable<Optional<T>> source) {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            Optional<T> found = look(what, source);
            if (found.isPresent()) {
                return found.get();
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted while it was awaited: " + what);
            }
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "did not come about within %s: %s".formatted(patience, what));
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    private static <T> Optional<T> look(String what, Callable<Optional<T>> source) {
        try {
            return source.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("could not be looked at: " + what, e);
        }
    }
}
