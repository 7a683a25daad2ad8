package dev.skep.transport.session;

import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkChannel;
import dev.skep.transport.link.LinkTraffic;
import dev.skep.transport.socket.Receiver;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A runner's end: whatever session a hub opens goes to a receiver of its own. Thread-safe. */
public final class SessionAcceptor implements LinkTraffic<String> {
    private final Function<String, Receiver> receivers;

    /** Makes the receiver for a target, without waiting; {@link Receiver#opened} may wait. */
    public SessionAcceptor(Function<String, Receiver> receivers) {
        this.receivers = receivers;
    }

    @Override
    public Set<String> types() {
        return Set.of();
    }

    @Override
    public Set<Byte> tags() {
        return Set.of(SessionFrames.TAG);
    }

    @Override
    public LinkChannel open(String hub, Link link) {
        return new LinkSessions(link, target -> Optional.of(receivers.apply(target)));
    }
}
