package dev.skep.transport.socket;

/**
 * Decides when the peer of one socket is asked for a sign of life, and when it has given none for
 * too long. Heard from one thread, looked at from another.
 */
final class KeepAlive {
    private final long every;
    private final long silence;
    private final boolean asksUnasked;
    private volatile long heardAt;
    private volatile long askedAt;

    /** What is to be done now. */
    enum KeepAliveAction {
        WAIT,
        ASK,
        GIVE_UP
    }

    KeepAlive(SocketLimits limits, long now) {
        this.every = limits.pingEvery().toNanos();
        this.silence = limits.silence().toNanos();
        this.asksUnasked = limits.pingsUnasked();
        this.heardAt = now;
        this.askedAt = now;
    }

    /** Anything came, be it part of a message. */
    void heard(long now) {
        heardAt = now;
    }

    /** The peer asked: it is there, and knows by the answer that this end is. */
    void pinged(long now) {
        heardAt = now;
        if (!asksUnasked) {
            askedAt = now;
        }
    }

    /**
     * Decides, taking for done what it says. A peer that sends is asked as well: while a long
     * message comes, the question is all that it hears of this end.
     */
    KeepAliveAction look(long now) {
        if (now - heardAt > silence) {
            return KeepAliveAction.GIVE_UP;
        }
        if (now - askedAt < every) {
            return KeepAliveAction.WAIT;
        }
        askedAt = now;
        return KeepAliveAction.ASK;
    }
}
