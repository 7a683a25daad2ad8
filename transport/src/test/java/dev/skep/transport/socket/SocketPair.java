package dev.skep.transport.socket;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.socket.SocketDialer.Dialled;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A listener with one socket endpoint, and a dialler to reach it with. */
final class SocketPair implements AutoCloseable {
    final Recorder server = new Recorder();
    final SocketEndpoints endpoints;
    final Listener listener;
    final SocketDialer dialer;

    SocketPair(Duration pingEvery) {
        SocketLimits limits = new SocketLimits(16 << 20, 1 << 20, pingEvery);
        ListenerConfig config = ListenerConfig.loopback(0);
        endpoints =
                new SocketEndpoints(
                        new BrowserGuard(config), List.of("", "/ws/*"), this::enter, limits);
        listener =
                new Listener(
                        config,
                        new Dispatch(new RouteTable(List.of()), new Nobody()),
                        new Listener.Mounts(List.of(), List.of(endpoints)),
                        new RequestMeter(new SimpleMeterRegistry()),
                        new SecureRandom());
        dialer = new SocketDialer(limits, Duration.ofSeconds(2));
        listener.start();
        endpoints.start();
        dialer.start();
    }

    private SocketDoor.Entry enter(SocketRequest request) {
        return request.query().equals("no")
                ? new SocketDoor.Entry.Refused(401, "Unauthorized")
                : new SocketDoor.Entry.Admitted(() -> server);
    }

    private static final class Nobody implements Authentication {
        @Override
        public Optional<Principal> principalOf(Credentials credentials) {
            return Optional.empty();
        }

        @Override
        public boolean isOrg(OrgId org) {
            return false;
        }
    }

    Dialled dial(SocketHandler handler) throws InterruptedException {
        return dial(listener.port(), handler);
    }

    Dialled dial(int port, SocketHandler handler) throws InterruptedException {
        return dialer.dial(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), handler)
                .dialled();
    }

    @Override
    public void close() {
        dialer.close();
        endpoints.close();
        listener.close();
    }
}
