package dev.skep.registry.node;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is counted about one node. Uptime is counted by the roster's thread, as stretches that
 * follow each other, so that no moment counts twice; the rest from any thread.
 */
public final class NodeCounters {
    private final AtomicLong messagesRelayed = new AtomicLong();
    private final AtomicLong proxySessions = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private Duration uptime;
    private @Nullable Instant countedUntil;
    private @Nullable NodeStats written;

    public NodeCounters() {
        this.uptime = Duration.ZERO;
    }

    /** Goes on from what was stored. */
    public NodeCounters(NodeStats stored) {
        messagesRelayed.set(stored.messagesRelayed());
        proxySessions.set(stored.proxySessions());
        errors.set(stored.errors());
        uptime = Duration.ofSeconds(stored.totalUptimeSeconds());
        countedUntil = stored.countedUntil();
        written = stored;
    }

    /** Adds stored values that could not be read when counting began. */
    public void goOnFrom(NodeStats stored) {
        messagesRelayed.addAndGet(stored.messagesRelayed());
        proxySessions.addAndGet(stored.proxySessions());
        errors.addAndGet(stored.errors());
        uptime = uptime.plusSeconds(stored.totalUptimeSeconds());
        Instant before = stored.countedUntil();
        if (before != null && (countedUntil == null || countedUntil.isBefore(before))) {
            countedUntil = before;
        }
        written = stored;
    }

    public void relayed() {
        messagesRelayed.incrementAndGet();
    }

    public void proxied() {
        proxySessions.incrementAndGet();
    }

    public void failed() {
        errors.incrementAndGet();
    }

    /** A stretch of being active begins; what lies before it is not counted any more. */
    public void up(Instant from) {
        countedUntil = countedUntil == null || countedUntil.isBefore(from) ? from : countedUntil;
    }

    /** The node has been active up to now; an instant that is counted already adds nothing. */
    public void countActiveUntil(Instant now) {
        if (countedUntil == null || !countedUntil.isBefore(now)) {
            return;
        }
        uptime = uptime.plus(Duration.between(countedUntil, now));
        countedUntil = now;
    }

    /** Takes over what is higher elsewhere; whether anything was. */
    public boolean mergeMaximum(NodeStats other) {
        boolean raised = raise(messagesRelayed, other.messagesRelayed());
        raised |= raise(proxySessions, other.proxySessions());
        raised |= raise(errors, other.errors());
        if (other.totalUptimeSeconds() > uptime.toSeconds()) {
            uptime = Duration.ofSeconds(other.totalUptimeSeconds());
            raised = true;
        }
        return raised;
    }

    private static boolean raise(AtomicLong count, long to) {
        return count.getAndAccumulate(to, Math::max) < to;
    }

    public NodeStats stats(String nodeId) {
        return new NodeStats(
                nodeId,
                messagesRelayed.get(),
                proxySessions.get(),
                uptime.toSeconds(),
                errors.get(),
                countedUntil);
    }

    /** The counts, if they differ from those written last. */
    public @Nullable NodeStats unsaved(String nodeId) {
        NodeStats now = stats(nodeId);
        return now.equals(written) ? null : now;
    }

    public void markSaved(NodeStats stats) {
        written = stats;
    }
}
