package dev.skep.transport.socket;

import java.time.Duration;

/**
 * What one socket may use.
 *
 * @param message the longest message in bytes; a longer one closes the socket with 1009
 * @param outgoing bytes that may be on the way to the peer before senders wait
 * @param pingEvery how often the peer is asked for a sign of life; three silent times are the end,
 *     and a message that takes longer to arrive counts as silence
 */
public record SocketLimits(int message, long outgoing, Duration pingEvery) {
    public static final SocketLimits USUAL =
            new SocketLimits(16 << 20, 4 << 20, Duration.ofSeconds(30));

    Duration silence() {
        return pingEvery.multipliedBy(3);
    }
}
