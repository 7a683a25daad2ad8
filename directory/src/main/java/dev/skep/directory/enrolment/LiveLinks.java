package dev.skep.directory.enrolment;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that are connected to this process, one link each. A host that comes again from the
 * same place replaces its old link, which may be half dead; one that comes from another place while
 * the first still lives is a copy and is refused. Thread-safe.
 */
public final class LiveLinks {
    private final Map<HostId, Entry> entries = new ConcurrentHashMap<>();

    private record Entry(String place, Runnable close, Lease lease) {}

    /** Ends with the link; closing an old lease does not touch a newer link's. */
    public interface Lease extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Takes the host's place; {@code closeLink} is run if a newer link of the host takes over, on
     * the newcomer's thread.
     */
    public Lease claim(LinkClaims claims, Runnable closeLink) {
        HostId host = claims.host();
        Lease lease =
                new Lease() {
                    @Override
                    public void close() {
                        entries.computeIfPresent(
                                host, (_, entry) -> entry.lease() == this ? null : entry);
                    }
                };
        AtomicReference<@Nullable Entry> replaced = new AtomicReference<>();
        entries.compute(
                host,
                (_, entry) -> {
                    if (entry != null && !entry.place().equals(claims.place())) {
                        throw duplicate(host);
                    }
                    replaced.set(entry);
                    return new Entry(claims.place(), closeLink, lease);
                });
        Entry old = replaced.get();
        if (old != null) {
            old.close().run();
        }
        return lease;
    }

    public boolean isLive(HostId host) {
        return entries.containsKey(host);
    }

    public int count() {
        return entries.size();
    }

    private static SkepException duplicate(HostId host) {
        return new SkepException(
                ErrorCode.DUPLICATE_HOST,
                "host %s is connected from another machine or folder; stop one of them, and give a copied data dir an identity of its own by removing its runner.key and runner.db"
                        .formatted(host));
    }
}
