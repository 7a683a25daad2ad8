package dev.skep.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Hands each connection to the next server that answers, and keeps it there. */
final class Balancer implements AutoCloseable {
    private final ServerSocket door;
    private volatile List<Integer> ports;
    private final AtomicInteger next = new AtomicInteger();

    Balancer(List<Integer> ports) throws IOException {
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.ports = List.copyOf(ports);
        Thread.ofVirtual().start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + door.getLocalPort();
    }

    /** Hands connections to these from now on. */
    void moveTo(List<Integer> others) {
        ports = List.copyOf(others);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                Thread.ofVirtual().start(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket server = connect()) {
            Thread answers = Thread.ofVirtual().start(() -> copy(server, client));
            copy(client, server);
            answers.join();
        } catch (IOException nobodyThere) {
            // The client sees a cut connection, as with any balancer.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Socket connect() throws IOException {
        IOException last = new IOException("no server");
        List<Integer> now = ports;
        for (int tried = 0; tried < now.size(); tried++) {
            int port = now.get(Math.floorMod(next.getAndIncrement(), now.size()));
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException down) {
                last = down;
            }
        }
        throw last;
    }

    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
            to.shutdownOutput();
        } catch (IOException cut) {
            try {
                from.close();
                to.close();
            } catch (IOException alreadyClosed) {
                // Nothing is left to do.
            }
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}
