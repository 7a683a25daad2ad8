package dev.skep.sync.hub;

import dev.skep.store.feed.FeedPage;
import dev.skep.sync.SyncLimits;
import java.time.Duration;
import java.time.Instant;

/**
 * The pace of one link each way. One thing is under way at a time, to the host and its answer back,
 * so what was full of the two is taken to have cost the time. Not thread-safe.
 */
final class LinkPageSizers {
    private final SyncLimits limits;
    private final PageSizer toHost;
    private final PageSizer fromHost;
    private Instant sentAt = Instant.EPOCH;
    private boolean full;

    LinkPageSizers(SyncLimits limits) {
        this.limits = limits;
        this.toHost = new PageSizer(limits.page().bytes());
        this.fromHost = new PageSizer(limits.page().bytes());
    }

    /** What the next page to the host may hold. */
    FeedPage.Limits toHost() {
        return limits.page(toHost.bytes());
    }

    /** How many bytes of rows the host is to answer with at most. */
    long fromHost() {
        return fromHost.bytes();
    }

    /** Something went to the host; full if there was more than the page might hold. */
    void sent(Instant now, boolean wasFull) {
        sentAt = now;
        full = wasFull;
    }

    /** The host has it, and answered; full if it has more than it might answer with. */
    void answered(Instant now, boolean answerWasFull) {
        Duration took = Duration.between(sentAt, now);
        if (full) {
            toHost.carried(took);
        }
        if (answerWasFull) {
            fromHost.carried(took);
        }
        full = false;
    }
}
