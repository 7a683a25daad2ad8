package dev.skep.app.demo;

import dev.skep.app.assembly.SocketListener;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.route.Json;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A live agent process that registers with its host's registry and has a console. It comes back
 * whenever its registry does.
 */
final class DemoNode implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String id;
    private final Path folder;
    private final URI registry;
    private final SocketDialer sockets;
    private final Lifecycle lifecycle = new Lifecycle();
    private final int port;
    private final Thread registering;

    DemoNode(String id, Path folder, int registryPort, SocketDialer sockets) {
        this.id = id;
        this.folder = folder;
        this.registry = URI.create("ws://127.0.0.1:" + registryPort + "/ws");
        this.sockets = sockets;
        this.port =
                SocketListener.open(
                                lifecycle,
                                _ -> new SocketAcceptor.AdmissionResult.Admitted(Console::new))
                        .port();
        this.registering = Thread.ofVirtual().name("node-" + id).start(this::registerForEver);
    }

    private void registerForEver() {
        try {
            while (true) {
                try {
                    registerUntilCut();
                } catch (IOException notThere) {
                    // Its host is down for the moment.
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void registerUntilCut() throws IOException, InterruptedException {
        var registration = new Registration();
        sockets.open(registry, Map.of(), registration);
        registration.cut.await();
    }

    /** Registers, then reads and ignores what the registry sends. */
    private final class Registration implements SocketHandler {
        private final CountDownLatch cut = new CountDownLatch(1);

        @Override
        public void opened(SocketSender socketSender) throws InterruptedException {
            Map<String, Object> node =
                    Map.of(
                            "id",
                            id,
                            "machine",
                            "localhost",
                            "cwd",
                            folder.toString(),
                            "port",
                            port,
                            "pid",
                            ProcessHandle.current().pid(),
                            "status",
                            "active");
            socketSender.send(Json.text(Map.of("method", "register", "params", node)));
        }

        @Override
        public void text(String message) {}

        @Override
        public void binary(ByteBuffer message) {}

        @Override
        public void pinged() {}

        @Override
        public void closed(int code, String reason) {
            cut.countDown();
        }
    }

    /** Shows what the node is, then echoes everything. */
    private final class Console implements SocketHandler {
        private @Nullable SocketSender out;

        @Override
        public void opened(SocketSender socketSender) throws InterruptedException {
            out = socketSender;
            socketSender.send(
                    Json.text(Map.of("type", "state", "node", id, "cwd", folder.toString())));
        }

        @Override
        public void text(String message) throws InterruptedException {
            Objects.requireNonNull(out).send(Json.text(Map.of("type", "heard", "text", message)));
        }

        @Override
        public void binary(ByteBuffer message) throws InterruptedException {
            Objects.requireNonNull(out).send(message);
        }

        @Override
        public void pinged() {}

        @Override
        public void closed(int code, String reason) {}
    }

    @Override
    public void close() {
        registering.interrupt();
        lifecycle.close();
    }
}
