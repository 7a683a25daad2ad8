package dev.skep.transport.link;

import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketLimits;
import dev.skep.wire.Frame;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A runner with one link that hears "hello" and frames tagged 1. */
final class LinkTestRunner implements AutoCloseable, LinkProtocol<String> {
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    final BlockingQueue<Link> opened = new LinkedBlockingQueue<>();
    final BlockingQueue<String> closed = new LinkedBlockingQueue<>();
    final LinkDialer dialer;

    /** Runs with every frame before the next is read. */
    volatile Runnable whileHearing = () -> {};

    private final SocketDialer sockets;

    LinkTestRunner(URI hub, String name) {
        this(hub, name, LinkDialer.sockets());
    }

    /** Sockets as of links, but with other pings. */
    static SocketDialer sockets(Duration pingEvery) {
        SocketLimits usual = LinkDialer.LIMITS;
        return new SocketDialer(
                new SocketLimits(
                        usual.message(),
                        usual.outgoing(),
                        usual.patience(),
                        pingEvery,
                        usual.pingsUnasked(),
                        usual.buffer()),
                Duration.ofSeconds(10));
    }

    /** Starts and closes the sockets. */
    LinkTestRunner(URI hub, String name, SocketDialer sockets) {
        this.sockets = sockets;
        sockets.start();
        HubAddress address =
                new HubAddress() {
                    @Override
                    public String name() {
                        return hub.toString();
                    }

                    @Override
                    public URI link() {
                        return hub;
                    }

                    @Override
                    public Ticket ticket() {
                        return new Ticket(name, "hub");
                    }
                };
        dialer =
                new LinkDialer(
                        sockets,
                        address,
                        new LinkProtocols<>(List.of(this)),
                        InstantSource.system(),
                        new Random(1));
        dialer.start();
    }

    @Override
    public Set<String> types() {
        return Set.of("hello", "sync_error");
    }

    @Override
    public Set<Byte> tags() {
        return Set.of(LinkTestHub.TAG);
    }

    @Override
    public LinkProtocolHandler open(String hub, Link link) {
        opened.add(link);
        return new LinkProtocolHandler() {
            @Override
            public void received(Frame frame) {
                received.add(
                        frame.binary()
                                ? "bulk " + frame.size()
                                : new String(frame.bytes(), StandardCharsets.UTF_8));
                whileHearing.run();
            }

            @Override
            public void closed(String reason) {
                closed.add(reason);
            }
        };
    }

    @Override
    public void close() {
        dialer.close();
        sockets.close();
    }
}
