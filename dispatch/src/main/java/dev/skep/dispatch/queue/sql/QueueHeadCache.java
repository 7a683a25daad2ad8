package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.Run;
import dev.skep.kernel.id.HostId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Where each host's waiting runs begin, so that a claim begins there too: PostgreSQL keeps claimed
 * entries in its index until a vacuum, and a claim from the start steps over all of them. A run
 * that is inserted before its host's head moves the head at once; one of another process is found
 * by the next claim from the start, which every host gets once a second. Thread-safe.
 */
final class QueueHeadCache {
    private static final long LOOK_AGAIN = Duration.ofSeconds(1).toNanos();

    private final ConcurrentMap<HostId, Head> heads = new ConcurrentHashMap<>();

    /**
     * What is known of one host. Compared by identity: a reader holds the head from before its
     * query, and an insert meanwhile has replaced it.
     */
    static final class Head {
        private final @Nullable QueuePosition first;
        private final long since;

        private Head(@Nullable QueuePosition first, long since) {
            this.first = first;
            this.since = since;
        }

        /** The first waiting run; null if it must be searched from the start. */
        @Nullable QueuePosition first() {
            return first == null || System.nanoTime() - since > LOOK_AGAIN ? null : first;
        }
    }

    /** What is known before a query. */
    Head of(HostId host) {
        return heads.computeIfAbsent(host, h -> new Head(null, 0));
    }

    /** A look from a head on found this first. */
    void found(HostId host, Head from, QueuePosition first) {
        heads.replace(host, from, new Head(first, from.since));
    }

    /** A look from the start found this first, or nothing. */
    void scannedFromStart(HostId host, Head before, @Nullable QueuePosition first) {
        heads.replace(host, before, new Head(first, System.nanoTime()));
    }

    /** A run waits since a commit of this process. */
    void runBecameReady(Run run) {
        QueuePosition queuePosition = new QueuePosition(run.priority(), run.job().value());
        heads.computeIfPresent(
                run.host(),
                (host, head) -> {
                    QueuePosition first = head.first;
                    boolean before = first != null && queuePosition.compareTo(first) < 0;
                    return new Head(before ? queuePosition : first, head.since);
                });
    }
}
