package dev.skep.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line to a port of this machine that can be cut; whoever dials again gets through again. */
final class CuttableCable implements AutoCloseable {
    private final ServerSocket server;
    private final int target;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();

    CuttableCable(int target) {
        this.target = target;
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
                ends.add(near);
                ends.add(far);
                Thread.startVirtualThread(() -> pass(near, far));
                Thread.startVirtualThread(() -> pass(far, near));
            }
        } catch (IOException closed) {
            // and nobody gets through any more
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cut) {
            // which ends both
        } finally {
            ends.remove(from);
        }
    }

    /** Ends what passes now, without a goodbye. */
    void cut() {
        for (Socket end : ends) {
            try {
                end.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
