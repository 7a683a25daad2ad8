package dev.skep.supervisor.feature;

import dev.skep.store.Database;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Something in a database that a caller waits a moment for. It looks whenever one of the tables was
 * written here, and now and then in between: another process of the hub may have written it.
 *
 * @param tables those that it is read from
 * @param row what is there; empty until it is what is waited for
 */
record AwaitedRow<T>(Database database, Set<String> tables, Supplier<Optional<T>> row) {
    private static final Duration LOOK_ANYWAY = Duration.ofMillis(200);

    AwaitedRow {
        tables = Set.copyOf(tables);
    }

    /** Empty if it is not there by then. */
    Optional<T> within(Duration patience) {
        Semaphore written = new Semaphore(0);
        long end = System.nanoTime() + patience.toNanos();
        try (Database.Listening _ = database.onWritten(names -> wake(names, written))) {
            while (true) {
                Optional<T> found = row.get();
                long left = end - System.nanoTime();
                if (found.isPresent() || left <= 0) {
                    return found;
                }
                if (written.tryAcquire(
                        Math.min(left, LOOK_ANYWAY.toNanos()), TimeUnit.NANOSECONDS)) {
                    written.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void wake(Set<String> names, Semaphore written) {
        if (names.isEmpty() || names.stream().anyMatch(tables::contains)) {
            written.release();
        }
    }
}
