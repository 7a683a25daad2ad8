package dev.skep.transport.socket;

import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketDialer.Dialled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/** A listener with one socket endpoint, and a dialler to reach it with. */
final class SocketPair implements AutoCloseable {
    final SocketRecorder server = new SocketRecorder();
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
                        new Router(new RouteTable(List.of()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(endpoints)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        dialer = new SocketDialer(limits, Duration.ofSeconds(2));
        listener.start();
        endpoints.start();
        dialer.start();
    }

    private SocketAcceptor.AdmissionResult enter(SocketRequest request) {
        return request.query().equals("no")
                ? new SocketAcceptor.AdmissionResult.Refused(401, "Unauthorized")
                : new SocketAcceptor.AdmissionResult.Admitted(() -> server);
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
