package dev.skep.supervisor.live;

import java.time.Duration;
import java.util.Map;

/** A topic on a board: its last reading and when the next is due. Guarded by its board. */
final class WatchedTopic {
    private static final Duration SOONEST = Duration.ofMillis(150);
    private static final Duration LATEST = Duration.ofSeconds(1);
    private static final Duration FORGOTTEN = Duration.ofMinutes(2);

    /** A topic may keep a core busy for this part of the time, however large it is. */
    private static final int IDLE_SHARE = 8;

    final Topic topic;
    private Map<String, Keyed> rows = Map.of();
    private boolean read;
    private boolean dirty;
    private long watchers;
    private long readAt;
    private long tookNanos;
    private long watchedAt;
    private long beginsAt;
    private long forgottenAt;

    WatchedTopic(Topic topic) {
        this.topic = topic;
    }

    Map<String, Keyed> rows() {
        return rows;
    }

    void watched(long by, long now) {
        watchers += by;
        watchedAt = now;
    }

    void touched() {
        dirty = true;
    }

    /** Whether the last reading still tells what is stored, as far as anybody said. */
    boolean isCurrent(long now) {
        return read && watchers > 0 && !dirty && now - readAt < LATEST.toNanos();
    }

    boolean isDue(long now) {
        if (watchers == 0) {
            return false;
        }
        long since = now - readAt;
        boolean rested = since >= Math.max(SOONEST.toNanos(), IDLE_SHARE * tookNanos);
        return !read || (rested && (dirty || since >= LATEST.toNanos()));
    }

    void reading() {
        dirty = false;
    }

    void hasRead(Map<String, Keyed> now, long took, long at) {
        rows = now;
        read = true;
        tookNanos = took;
        readAt = at;
    }

    /** Lets go of rows that nobody has watched for a while; those who had them are told so. */
    void forgetIfUnwatched(long now, long number) {
        if (watchers == 0 && read && now - watchedAt > FORGOTTEN.toNanos()) {
            rows = Map.of();
            read = false;
            forgottenAt = number;
        }
    }

    /** Whether somebody at this place could have had the rows that were forgotten. */
    boolean wasForgottenAt(long number) {
        return number <= forgottenAt;
    }

    boolean wasRead() {
        return read;
    }

    /** From which number of the board on the topic's deltas are without a gap. */
    void beginsAt(long number) {
        beginsAt = number;
    }

    boolean reachesBackTo(long number) {
        return number >= beginsAt;
    }
}
