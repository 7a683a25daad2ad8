package dev.skep.transport.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A line to a hub that can go dead without a word, as when a machine loses its power. */
final class CuttableLine implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final URI target;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private final Set<Socket> dead = ConcurrentHashMap.newKeySet();

    CuttableLine(URI target) throws IOException {
        this.target = target;
        Thread.startVirtualThread(this::accept);
    }

    URI url() {
        return URI.create(
                target.toString().replace(":" + target.getPort(), ":" + server.getLocalPort()));
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket(InetAddress.getLoopbackAddress(), target.getPort());
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
        byte[] bytes = new byte[8_192];
        try {
            for (int n = from.getInputStream().read(bytes);
                    n >= 0;
                    n = from.getInputStream().read(bytes)) {
                if (!dead.contains(from)) {
                    to.getOutputStream().write(bytes, 0, n);
                }
            }
        } catch (IOException closed) {
            // by whoever had enough of it
        }
    }

    /** What passes now gets lost from here on; both ends stay open. */
    void goDead() {
        dead.addAll(ends);
    }

    /** What passes now ends, as when a hub is killed. */
    void cut() throws IOException {
        for (Socket end : ends) {
            end.close();
        }
    }

    /** What passes now is reset, as when a hub is killed that has not read everything. */
    void reset() throws IOException {
        for (Socket end : ends) {
            end.setSoLinger(true, 0);
            end.close();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
