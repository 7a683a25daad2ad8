package dev.skep.transport.socket;

import java.time.Duration;

/**
 * What one socket may use.
 *
 * @param message the longest message in bytes; a longer one closes the socket with 1009
 * @param outgoing bytes that may be on the way to the peer before senders wait
 * @param patience how long a sender waits for room before sending fails
 * @param pingEvery how often the peer is pinged; after three silent intervals the socket is closed,
 *     and any part of a message counts as an answer
 * @param pingsUnasked false if a peer that pings by itself is not pinged
 * @param buffer what is read and written at once; pooled, so that idle sockets have none, but after
 *     a burst the pool holds one for each that was busy
 */
public record SocketLimits(
        int message,
        long outgoing,
        Duration patience,
        Duration pingEvery,
        boolean pingsUnasked,
        int buffer) {
    /** For relaying: few sockets, much to read at once. */
    static final int BUFFER = 64 << 10;

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    public static final SocketLimits USUAL =
            new SocketLimits(16 << 20, 4 << 20, Duration.ofSeconds(30));

    public SocketLimits(int message, long outgoing, Duration pingEvery) {
        this(message, outgoing, pingEvery, BUFFER);
    }

    public SocketLimits(int message, long outgoing, Duration pingEvery, int buffer) {
        this(message, outgoing, FOREVER, pingEvery, true, buffer);
    }

    Duration silence() {
        return pingEvery.multipliedBy(3);
    }
}
