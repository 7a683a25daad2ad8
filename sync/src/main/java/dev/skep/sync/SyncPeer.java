package dev.skep.sync;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far this database and a peer have synced.
 *
 * @param cursor on a hub how far the host was pulled, on a runner how far the hub's forwards are
 *     stored
 * @param head the clock of the cursor's database at that time
 * @param pulled on a runner: how far that hub has pulled
 * @param linkNo on a hub: the number of the host's newest link
 */
public record SyncPeer(
        long cursor, long head, long pulled, long linkNo, long heals, @Nullable Instant healsFrom) {
    public static final SyncPeer NEW = new SyncPeer(0, 0, 0, 0, 0, null);

    private static final Duration HEALS_COUNTED = Duration.ofHours(1);
    private static final int HEALS_ALLOWED = 3;

    /**
     * Two live copies of one host heal each other for ever; one restored host heals once.
     *
     * @param now of the hub's steady clock, as in {@link #healedAt}
     */
    public boolean looksCloned(Instant now) {
        return heals >= HEALS_ALLOWED && countsAt(now);
    }

    /** Either way, in case the time is of another clock than now. */
    private boolean countsAt(Instant now) {
        return healsFrom != null
                && Duration.between(healsFrom, now).abs().compareTo(HEALS_COUNTED) < 0;
    }

    /** The state after one more heal. */
    public SyncPeer healedAt(Instant now, long newHead) {
        boolean again = countsAt(now);
        return new SyncPeer(
                0, newHead, pulled, linkNo, again ? heals + 1 : 1, again ? healsFrom : now);
    }
}
