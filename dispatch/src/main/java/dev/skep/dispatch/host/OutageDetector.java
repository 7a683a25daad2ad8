package dev.skep.dispatch.host;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Distinguishes a hub that lost its connection from hosts that died: if many of an org's hosts fall
 * silent within a minute, the likely cause is the hub's own connection. One per org; not
 * thread-safe.
 */
public final class OutageDetector {
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final double SHARE = 0.3;

    /** Below this, each host gets an alert of its own. */
    private static final int AT_LEAST = 4;

    private record OfflineHosts(Instant at, int hosts) {}

    private final Deque<OfflineHosts> recent = new ArrayDeque<>();
    private boolean reported;

    /** What to announce about hosts that were just found offline. */
    public enum Announcement {
        EACH_HOST,
        HUB_CONNECTIVITY,
        NOTHING
    }

    /**
     * Takes note of hosts that were just found offline.
     *
     * @param fell how many hosts were found offline now
     * @param stillUp how many of the org are up after that
     */
    public Announcement hostsWentOffline(Instant now, int fell, int stillUp) {
        recent.removeIf(f -> !f.at().isAfter(now.minus(WINDOW)));
        if (fell > 0) {
            recent.add(new OfflineHosts(now, fell));
        }
        int inWindow = recent.stream().mapToInt(OfflineHosts::hosts).sum();
        boolean mass = inWindow >= AT_LEAST && inWindow > SHARE * (inWindow + stillUp);
        if (!mass) {
            reported = false;
            return fell > 0 ? Announcement.EACH_HOST : Announcement.NOTHING;
        }
        if (reported) {
            return Announcement.NOTHING;
        }
        reported = true;
        return Announcement.HUB_CONNECTIVITY;
    }
}
