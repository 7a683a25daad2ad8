package dev.skep.registry;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** The port of an agent, which a proxy connects to. */
public final class TestAgent implements AutoCloseable {
    private final ServerSocket server;

    public TestAgent() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    public int port() {
        return server.getLocalPort();
    }

    public Socket accept() throws IOException {
        return server.accept();
    }

    public RawWebSocket acceptSocket() throws IOException {
        return RawWebSocket.accept(accept());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
