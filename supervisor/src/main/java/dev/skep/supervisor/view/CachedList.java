package dev.skep.supervisor.view;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Reads a list again, or returns the last reading if nothing changed since. Thread-safe. */
final class CachedList<T> {
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private record CachedRows<T>(List<T> rows, long change, long at) {}

    private final Function<Principal, List<T>> reader;
    private final LongSupplier changes;
    private final LongSupplier nanoTime;
    private final Map<OrgId, CachedRows<T>> byOrg = new ConcurrentHashMap<>();

    /**
     * @param changes a number that grows before a change is reported
     */
    CachedList(Function<Principal, List<T>> reader, LongSupplier changes, LongSupplier nanoTime) {
        this.reader = reader;
        this.changes = changes;
        this.nanoTime = nanoTime;
    }

    List<T> now(Principal principal) {
        long change = changes.getAsLong();
        long at = nanoTime.getAsLong();
        List<T> rows = reader.apply(principal);
        byOrg.put(principal.org(), new CachedRows<>(rows, change, at));
        return rows;
    }

    List<T> recent(Principal principal) {
        CachedRows<T> cachedRows = byOrg.get(principal.org());
        boolean usable =
                cachedRows != null
                        && cachedRows.change() == changes.getAsLong()
                        && nanoTime.getAsLong() - cachedRows.at() < FRESH;
        return cachedRows != null && usable ? cachedRows.rows() : now(principal);
    }
}
