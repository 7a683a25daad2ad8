package dev.skep.browser.real;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** A live agent process that registers at a host and sends back what it gets. */
final class EchoNode implements AutoCloseable {
    private final ServerSocket port;
    private final RawWebSocket registered;

    EchoNode(String url, String token, String machine, String id) throws IOException {
        port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
        registered = RawWebSocket.connect(URI.create(url).getPort(), "/ws?token=" + token);
        registered.text(
                """
                {"method": "register", "params": {"id": "%s", "machine": "%s", "cwd": "/srv/%s", "port": %d, "status": "active"}}
                """
                        .formatted(id, machine, id, port.getLocalPort()));
        Thread.ofVirtual().start(this::listen);
    }

    private void serve() {
        while (!port.isClosed()) {
            try {
                Socket caller = port.accept();
                Thread.ofVirtual().start(() -> echo(caller));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void echo(Socket caller) {
        try (RawWebSocket socket = RawWebSocket.accept(caller)) {
            for (var frame = socket.message(); frame != null; frame = socket.message()) {
                if (frame.opcode() == RawWebSocket.TEXT) {
                    socket.text("heard: " + frame.text());
                }
            }
        } catch (IOException gone) {
            // whoever called has left
        }
    }

    /** What the registry says is of no interest, but it must be read. */
    private void listen() {
        try {
            while (registered.message() != null) {}
        } catch (IOException closed) {
            // the test is over
        }
    }

    @Override
    public void close() {
        registered.close();
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
