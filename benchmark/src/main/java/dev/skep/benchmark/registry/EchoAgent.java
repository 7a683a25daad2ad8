package dev.skep.benchmark.registry;

import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketLimits;
import dev.skep.transport.socket.SocketSender;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An agent's port, served by a common WebSocket library, that sends back what it gets. */
final class EchoAgent {
    private EchoAgent() {}

    public static void main(String[] arguments) throws InterruptedException {
        ListenerConfig config = ListenerConfig.loopback(0);
        SocketEndpoints endpoints =
                new SocketEndpoints(
                        new BrowserGuard(config),
                        List.of(""),
                        request -> new SocketAcceptor.AdmissionResult.Admitted(Echo::new),
                        SocketLimits.USUAL);
        Listener listener =
                new Listener(
                        config,
                        new Router(new RouteTable(List.of()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(endpoints)),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        listener.start();
        endpoints.start();
        System.err.println("agent on " + listener.url());
        Thread.currentThread().join();
    }

    private static final class Echo implements SocketHandler {
        private @Nullable SocketSender socketSender;

        @Override
        public void opened(SocketSender opened) {
            socketSender = opened;
        }

        @Override
        public void text(String message) throws InterruptedException {
            if (socketSender != null) {
                socketSender.send(message);
            }
        }

        @Override
        public void binary(ByteBuffer message) throws InterruptedException {
            if (socketSender != null) {
                socketSender.send(message);
            }
        }

        @Override
        public void pinged() {}

        @Override
        public void closed(int code, String reason) {}
    }
}
