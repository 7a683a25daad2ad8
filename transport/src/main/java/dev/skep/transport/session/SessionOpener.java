package dev.skep.transport.session;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import dev.skep.wire.Frame;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** A hub's way to what runs beside the hosts that are linked to it. Thread-safe. */
public final class SessionOpener implements LinkProtocol<Principal.Host> {
    private final Map<HostId, HostLink> links = new ConcurrentHashMap<>();
    private final List<Consumer<Principal.Host>> listeners = new CopyOnWriteArrayList<>();

    /** What came of opening a session. */
    public sealed interface Opening {
        /** It is open; the receiver gets everything from now on. */
        record Opened(MessageSender channel) implements Opening {}

        /** The host is not linked here, or not a host of the org. */
        record NotLinked() implements Opening {}

        record TooMany() implements Opening {}
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
    public LinkProtocolHandler open(Principal.Host host, Link link) {
        HostLink opened = new HostLink(host, link);
        links.put(host.id(), opened);
        listeners.forEach(listener -> listener.accept(host));
        return opened;
    }

    /** Runs the listener when a host was linked or is no more. It must not block. */
    public void onChange(Consumer<Principal.Host> listener) {
        listeners.add(listener);
    }

    public boolean isLinked(HostId host) {
        return links.containsKey(host);
    }

    /** Opens a session to a target at a host of the org. */
    public Opening open(OrgId org, HostId host, String target, MessageReceiver receiver)
            throws InterruptedException {
        HostLink link = links.get(host);
        if (link == null || !link.host.org().equals(org)) {
            return new Opening.NotLinked();
        }
        if (link.sessions.isFull()) {
            return new Opening.TooMany();
        }
        return link.sessions
                .open(target, receiver)
                .<Opening>map(Opening.Opened::new)
                .orElseGet(Opening.NotLinked::new);
    }

    private final class HostLink implements LinkProtocolHandler {
        private final Principal.Host host;
        private final LinkSessions sessions;

        HostLink(Principal.Host host, Link link) {
            this.host = host;
            // Hosts do not reach into a hub.
            this.sessions = new LinkSessions(link, target -> Optional.empty());
        }

        @Override
        public void received(Frame frame) {
            sessions.received(frame);
        }

        @Override
        public void closed(String reason) {
            // A newer link of the host may have taken the place.
            links.remove(host.id(), this);
            sessions.closed(reason);
            listeners.forEach(listener -> listener.accept(host));
        }
    }
}
