package dev.skep.transport.session;

import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.socket.MessageReceiver;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A runner's end: whatever session a hub opens goes to a receiver of its own. Thread-safe. */
public final class SessionAcceptor implements LinkProtocol<String> {
    private final Function<String, MessageReceiver> receivers;

    /**
     * Makes the receiver for a target, without waiting; {@link MessageReceiver#opened} may wait.
     */
    public SessionAcceptor(Function<String, MessageReceiver> receivers) {
        this.receivers = receivers;
    }

    @Override
    public Set<String> types() {
        return Set.of();
    }

    @Override
    public Set<Byte> tags() {
        return Set.of(SessionFrameCodec.TAG);
    }

    @Override
    public LinkProtocolHandler open(String hub, Link link) {
        return new LinkSessions(link, target -> Optional.of(receivers.apply(target)));
    }
}
