package dev.skep.transport.link;

import java.time.Duration;

/**
 * Decides when a hub is asked for a sign of life, and when it has given none for too long. It is
 * asked whenever neither end asked for long, messages or not, since the hub hears of this end by
 * that too while a long one comes; and also soon after each message: the JDK's client does not tell
 * of an end that it reads while a message is being looked at, and only writing shows it then, at
 * the third time. Heard from one thread, looked at from another.
 */
final class KeepAlive {
    private static final Duration SOON = Duration.ofSeconds(1);

    /** So often it is asked soon; what fails to write has failed by then. */
    private static final int SOON_AT_MOST = 3;

    private final long soon;
    private final long usual;
    private final long patience;
    private volatile long heardAt;
    private volatile long signAt;
    private volatile boolean answered = true;
    private long askedAt;
    private long askedSince;
    private int asked;

    /** What is to be done now. */
    enum KeepAliveAction {
        WAIT,
        ASK,
        GIVE_UP
    }

    KeepAlive(Duration usual, long now) {
        this.usual = usual.toNanos();
        this.soon = Math.min(SOON.toNanos(), this.usual);
        // Two questions may be lost, or late.
        this.patience = this.usual * 5 / 2;
        this.heardAt = now;
        this.signAt = now;
        this.askedAt = now;
        this.askedSince = now;
    }

    /**
     * A message came.
     *
     * @return whether the next look is sooner for it
     */
    boolean message(long now) {
        boolean first = answered;
        heardAt = now;
        answered = false;
        return first;
    }

    /** The hub asked or answered: it is there, and knows that this end is. */
    void sign(long now) {
        heardAt = now;
        signAt = now;
        answered = true;
    }

    /** How long until the next look. */
    long nanosToLook(long now) {
        long heard = heardAt;
        if (heard != askedSince) {
            askedSince = heard;
            asked = 0;
        }
        boolean isSoon = !answered && asked < SOON_AT_MOST;
        long next = Math.min(later(signAt, askedAt) + usual, heard + patience);
        return (isSoon ? Math.min(next, later(heard, askedAt) + soon) : next) - now;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** Decides, taking for done what it says. */
    KeepAliveAction look(long now) {
        if (now - heardAt >= patience) {
            return KeepAliveAction.GIVE_UP;
        }
        if (nanosToLook(now) > 0) {
            return KeepAliveAction.WAIT;
        }
        askedAt = now;
        asked++;
        answered = false;
        return KeepAliveAction.ASK;
    }
}
