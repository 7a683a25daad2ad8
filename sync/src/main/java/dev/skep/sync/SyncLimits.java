package dev.skep.sync;

import dev.skep.store.feed.Page;
import java.time.Duration;

/**
 * How much at once, and how long to wait.
 *
 * @param slots links with rows that are asked at the same time; the hub's throttle
 * @param patience after this long an unanswered request no longer holds up others
 * @param timeout after this long without an answer the link is dropped
 * @param idle how often a link that says nothing is asked all the same
 * @param tailBytes recent forwards kept in memory for one org
 */
public record SyncLimits(
        Page.Limits page,
        int slots,
        Duration patience,
        Duration timeout,
        Duration idle,
        long tailBytes) {
    public static final SyncLimits DEFAULT =
            new SyncLimits(
                    new Page.Limits(5_000, 2 << 20),
                    16,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    8 << 20);

    /** A runner hears from its hub at least this often, or the link is dead. */
    public Duration silence() {
        return idle.plus(timeout);
    }
}
