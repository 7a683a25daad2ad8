package dev.skep.transport.socket;

/**
 * Decides when to ping the peer of one socket, and when it has been silent for too long. Updated by
 * one thread, checked by another.
 */
final class KeepAlive {
    private final long every;
    private final long silence;
    private final boolean asksUnasked;
    private volatile long receivedAt;
    private volatile long askedAt;

    /** What to do now. */
    enum KeepAliveAction {
        WAIT,
        ASK,
        GIVE_UP
    }

    KeepAlive(SocketLimits limits, long now) {
        this.every = limits.pingEvery().toNanos();
        this.silence = limits.silence().toNanos();
        this.asksUnasked = limits.pingsUnasked();
        this.receivedAt = now;
        this.askedAt = now;
    }

    /** Anything came, be it part of a message. */
    void received(long now) {
        receivedAt = now;
    }

    /** The peer asked: it is there, and knows by the answer that this end is. */
    void pinged(long now) {
        receivedAt = now;
        if (!asksUnasked) {
            askedAt = now;
        }
    }

    /**
     * Decides, and assumes that the caller acts on it. A peer that sends is pinged as well: while
     * it sends a long message, the ping is all it receives from this end.
     */
    KeepAliveAction look(long now) {
        if (now - receivedAt > silence) {
            return KeepAliveAction.GIVE_UP;
        }
        if (now - askedAt < every) {
            return KeepAliveAction.WAIT;
        }
        askedAt = now;
        return KeepAliveAction.ASK;
    }
}
