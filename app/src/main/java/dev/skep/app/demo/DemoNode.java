package dev.skep.app.demo;

import dev.skep.app.assembly.SocketListener;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.route.Json;
import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A live agent process that registers with its host's registry and has a console. It comes back
 * whenever its registry does.
 */
final class DemoNode implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration PING_EVERY = Duration.ofSeconds(30);

    private final String id;
    private final Path folder;
    private final URI registry;
    private final HttpClient client;
    private final Lifecycle lifecycle = new Lifecycle();
    private final int port;
    private final Thread registering;

    DemoNode(String id, Path folder, int registryPort, HttpClient client) {
        this.id = id;
        this.folder = folder;
        this.registry = URI.create("ws://127.0.0.1:" + registryPort + "/ws");
        this.client = client;
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
                } catch (ExecutionException notThere) {
                    // Its host is down for the moment.
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private void registerUntilCut() throws ExecutionException, InterruptedException {
        var cut = new CompletableFuture<Boolean>();
        WebSocket socket =
                client.newWebSocketBuilder().buildAsync(registry, new UntilCut(cut)).get();
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
        socket.sendText(Json.text(Map.of("method", "register", "params", node)), true).get();
        // A node that is silent for three times the registry's TTL counts as offline.
        while (!cut.isDone()) {
            socket.sendPing(ByteBuffer.allocate(0)).get();
            try {
                cut.get(PING_EVERY.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException stillThere) {
                // The usual case.
            }
        }
    }

    /** Reads what the registry says and thinks nothing of it. */
    private record UntilCut(CompletableFuture<Boolean> cut) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            cut.complete(true);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void onError(WebSocket socket, Throwable failure) {
            cut.complete(true);
        }
    }

    /** Shows what the node is, then says everything back. */
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
