package dev.skep.supervisor.live;

import dev.skep.kernel.id.Keyed;
import java.time.Duration;
import java.util.Map;

/**
 * A topic on a board: its last reading and when the next is due, which is after a change or when
 * its rows expire. Guarded by its board.
 */
final class WatchedTopic {
    private static final Duration AFTER_A_FAILURE = Duration.ofSeconds(1);
    private static final Duration FORGOTTEN = Duration.ofMinutes(2);

    /** A topic may keep a core busy for this part of the time, however large it is. */
    private static final int IDLE_SHARE = 8;

    /** Longer than any watch, and short enough to add to a reading of the clock. */
    static final long NEVER = Duration.ofDays(365).toNanos();

    final Topic topic;
    private Map<String, Keyed> rows = Map.of();
    private boolean read;
    private boolean dirty;
    private long watchers;
    private long restedAt;
    private long untrueAt;
    private long watchedAt;
    private long startsAt;
    private long forgottenAt;

    WatchedTopic(Topic topic, long now) {
        this.topic = topic;
        this.restedAt = now;
        this.watchedAt = now;
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

    /** Whether the last reading still matches what is stored, as far as is reported. */
    boolean isCurrent(long now) {
        return read && watchers > 0 && !dirty && now - untrueAt < 0;
    }

    /** Whether time alone has overtaken the last reading. */
    boolean isOutdated(long now) {
        return read && now - untrueAt >= 0;
    }

    boolean isDue(long now) {
        return dueIn(now) <= 0;
    }

    /** How long it may still rest, in nanoseconds. */
    long dueIn(long now) {
        if (watchers == 0) {
            return NEVER;
        }
        long rest = restedAt - now;
        return !read || dirty ? rest : Math.max(rest, untrueAt - now);
    }

    void reading() {
        dirty = false;
    }

    /**
     * @param took how long the reading did, in nanoseconds
     * @param lasts how long the rows are true if nothing happens
     */
    void hasRead(Map<String, Keyed> now, long took, long lasts, long at) {
        rows = now;
        read = true;
        // The client that asked for the rows may be about to watch them.
        watchedAt = at;
        restedAt = at + Math.max(topic.rest().toNanos(), IDLE_SHARE * took);
        untrueAt = at + Math.min(lasts, NEVER);
    }

    void readFailed(long at) {
        dirty = true;
        restedAt = at + AFTER_A_FAILURE.toNanos();
    }

    /** Drops rows that were not watched for a while; streams that had them must load again. */
    void forgetIfUnwatched(long now, long number) {
        if (watchers == 0 && read && now - watchedAt > FORGOTTEN.toNanos()) {
            rows = Map.of();
            read = false;
            forgottenAt = number;
        }
    }

    /** Whether a stream at this position could have the rows that were dropped. */
    boolean mayHoldForgottenRows(long number) {
        return number <= forgottenAt;
    }

    boolean wasRead() {
        return read;
    }

    /** From which number of the board on the topic's deltas are without a gap. */
    void startsAt(long number) {
        startsAt = number;
    }

    boolean coversFrom(long number) {
        return number >= startsAt;
    }
}
