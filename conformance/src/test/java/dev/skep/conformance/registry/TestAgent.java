package dev.skep.conformance.registry;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The port of an agent, which a proxy connects to. */
final class TestAgent implements AutoCloseable {
    private final ServerSocket server;

    TestAgent() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    int port() {
        return server.getLocalPort();
    }

    Socket accept() throws IOException {
        return server.accept();
    }

    RawWebSocket acceptSocket() throws IOException {
        return RawWebSocket.accept(accept());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
