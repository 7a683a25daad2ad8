package dev.skep.sync;

import dev.skep.store.feed.FeedPage;
import java.time.Duration;

/**
 * How much at once, and how long to wait.
 *
 * @param slots links with rows that are asked at the same time; the hub's throttle
 * @param patience after this long an unanswered request no longer holds up others
 * @param timeout after this long without an answer, or any byte of one, the link is dropped
 * @param idle how often a silent link is asked anyway
 * @param tailBytes recent forwards kept in memory for one org
 */
public record SyncLimits(
        FeedPage.Limits page,
        int slots,
        Duration patience,
        Duration timeout,
        Duration idle,
        long tailBytes) {
    /** Fewer bytes of rows in a second, before compression, and a link is no use. */
    private static final long SLOWEST = 4 << 10;

    private static final int SMALLEST_ROW = 64;

    public static final SyncLimits DEFAULT =
            new SyncLimits(
                    new FeedPage.Limits(5_000, 2 << 20),
                    16,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    8 << 20);

    /** A page of at most so many bytes, for a slow link; the full size if 0. */
    public FeedPage.Limits page(long bytes) {
        if (bytes <= 0 || bytes >= page.bytes()) {
            return page;
        }
        long rows = Math.max(1, bytes / SMALLEST_ROW);
        return new FeedPage.Limits((int) Math.min(page.rows(), rows), bytes);
    }

    /**
     * How long so many bytes of rows may be on their way. A socket does not report what has left.
     */
    public Duration onTheWay(long bytes) {
        return Duration.ofMillis(bytes * 1_000 / SLOWEST);
    }

    /** A runner receives something from its hub at least this often, or the link is dead. */
    public Duration silence() {
        return idle.plus(timeout);
    }
}
