package dev.skep.transport.link;

import java.util.Set;

/**
 * A kind of traffic that shares links with others, on one end of them. Thread-safe.
 *
 * @param <P> the peer: a host for a hub, a hub for a runner
 */
public interface LinkProtocol<P> {
    /** The types of the JSON messages it takes. */
    Set<String> types();

    /** The first bytes of the binary frames it takes. */
    default Set<Byte> tags() {
        return Set.of();
    }

    /** A link opened; nothing is received before this returns. */
    LinkProtocolHandler open(P peer, Link link);
}
