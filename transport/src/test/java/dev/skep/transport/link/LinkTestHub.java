package dev.skep.transport.link;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.wire.Frame;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A hub whose links carry talk: it hears "hello" messages and frames tagged 1. The bearer is the
 * host.
 */
final class LinkTestHub implements AutoCloseable, LinkProtocol<Principal.Host> {
    static final byte TAG = 1;

    final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    final BlockingQueue<String> opened = new LinkedBlockingQueue<>();
    final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    private final Map<String, Link> links = new ConcurrentHashMap<>();
    final LinkServer server = new LinkServer(new OneLinkEach(), new LinkProtocols<>(List.of(this)));
    private final Map<String, Runnable> live = new ConcurrentHashMap<>();
    private final SocketEndpoints sockets;
    private final Listener listener;

    LinkTestHub(int port) {
        this(ListenerConfig.loopback(port));
    }

    LinkTestHub(ListenerConfig config) {
        sockets =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(LinkServer.PATH),
                        server,
                        LinkServer.LIMITS);
        listener =
                new Listener(
                        config,
                        new Router(new RouteTable(List.of()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(sockets)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        sockets.start();
        listener.start();
    }

    int port() {
        return listener.port();
    }

    URI link() {
        return URI.create(listener.url().replaceFirst("^http", "ws") + LinkServer.PATH);
    }

    Link link(String host) {
        return Objects.requireNonNull(links.get(host));
    }

    static Frame hello(String text) {
        return new Frame(
                false,
                "{\"type\":\"hello\",\"text\":\"%s\"}"
                        .formatted(text)
                        .getBytes(StandardCharsets.UTF_8));
    }

    static Frame bulk(int size) {
        byte[] bytes = new byte[size];
        bytes[0] = TAG;
        return new Frame(true, bytes);
    }

    @Override
    public Set<String> types() {
        return Set.of("hello");
    }

    @Override
    public Set<Byte> tags() {
        return Set.of(TAG);
    }

    @Override
    public LinkProtocolHandler open(Principal.Host host, Link link) {
        String name = host.id().value();
        links.put(name, link);
        opened.add(name);
        return new LinkProtocolHandler() {
            @Override
            public void received(Frame frame) {
                received.add(
                        frame.binary()
                                ? "bulk " + frame.size()
                                : new String(frame.bytes(), StandardCharsets.UTF_8));
            }

            @Override
            public void closed(String reason) {
                closed.add(name);
            }
        };
    }

    @Override
    public void close() {
        server.closeAll();
        listener.close();
        sockets.close();
    }

    /** A newer link of a host takes the place of the older. */
    private final class OneLinkEach implements LinkAcceptor {
        @Override
        public Admission admit(Credentials credentials) {
            String host =
                    credentials
                            .bearer()
                            .filter(bearer -> !bearer.equals("stranger"))
                            .orElseThrow(
                                    () ->
                                            new SkepException(
                                                    ErrorCode.UNAUTHENTICATED, "who are you"));
            return new Admission() {
                @Override
                public Principal.Host host() {
                    return new Principal.Host(new OrgId("org"), new HostId(host));
                }

                @Override
                public Lease claim(Runnable closeLink) {
                    Runnable older = live.put(host, closeLink);
                    if (older != null) {
                        older.run();
                    }
                    return reason -> live.remove(host, closeLink);
                }

                @Override
                public boolean counts() {
                    return true;
                }
            };
        }
    }

    int liveCount() {
        return live.size();
    }
}
