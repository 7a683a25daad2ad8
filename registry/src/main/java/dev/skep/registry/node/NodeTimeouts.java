package dev.skep.registry.node;

import java.time.Duration;

/**
 * How long nodes count as alive, and how long they are remembered.
 *
 * @param ttl a node silent for three times this is offline, whatever its socket looks like
 * @param retain how long an offline node and its history are kept; zero to forget it after {@code
 *     ttl}
 */
public record NodeTimeouts(Duration ttl, Duration retain) {
    public static final NodeTimeouts USUAL =
            new NodeTimeouts(Duration.ofSeconds(30), Duration.ofDays(30));

    /** Long enough for a host that was away to learn that a node is gone. */
    private static final Duration REMOVAL_TRAVELS = Duration.ofDays(30);

    public NodeTimeouts {
        if (ttl.isNegative() || ttl.isZero() || retain.isNegative()) {
            throw new IllegalArgumentException("ttl must be positive, retain not negative");
        }
    }

    /** Whether an active node without a sign of life for this long is gone. */
    boolean isSilent(Duration silence) {
        return silence.compareTo(ttl.multipliedBy(3)) > 0;
    }

    /** Whether a node that has been offline for this long is removed. */
    boolean isOver(Duration offline) {
        return offline.compareTo(kept()) > 0;
    }

    /** How long what is over is kept. */
    public Duration kept() {
        return retain.isZero() ? ttl : retain;
    }

    /** How long the mark that a node was removed is kept. */
    public Duration marksKept() {
        return REMOVAL_TRAVELS.compareTo(retain) > 0 ? REMOVAL_TRAVELS : retain;
    }
}
