package dev.skep.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a port of this machine that carries so many bytes in a second and no more, each way,
 * and can fall silent without either end noticing.
 */
public final class SlowLine implements AutoCloseable {
    /** As little as the system allows waits in front of the line: what was written has left. */
    private static final int BUFFER = 4 << 10;

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private final AtomicLong carried = new AtomicLong();
    private volatile long bytesPerSecond;
    private volatile boolean silent;

    public SlowLine(int target, long kbitPerSecond) {
        this.target = target;
        this.bytesPerSecond = kbitPerSecond * 1_000 / 8;
        try {
            server = new ServerSocket();
            server.setReceiveBufferSize(BUFFER);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.startVirtualThread(this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** How many bytes came through so far, both ways. */
    public long carried() {
        return carried.get();
    }

    public void carry(long kbitPerSecond) {
        bytesPerSecond = kbitPerSecond * 1_000 / 8;
    }

    /** Nothing comes through any more, and no end is reported; a dial waits. */
    public void goSilent() {
        silent = true;
    }

    public void speakAgain() {
        silent = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket near = server.accept();
                Socket far = new Socket();
                far.setReceiveBufferSize(BUFFER);
                far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                ends.add(near);
                ends.add(far);
                Thread.startVirtualThread(() -> pass(near, far));
                Thread.startVirtualThread(() -> pass(far, near));
            }
        } catch (IOException closed) {
            // and no connection gets through any more
        }
    }

    private void pass(Socket from, Socket to) {
        try (from;
                to) {
            carry(from, to);
            awaitVoice();
        } catch (IOException closed) {
            // closed by one of the ends
        } finally {
            ends.remove(from);
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] bytes = new byte[1 << 10];
        long free = System.nanoTime();
        try {
            for (int n = from.getInputStream().read(bytes);
                    n >= 0;
                    n = from.getInputStream().read(bytes)) {
                free = Math.max(free, System.nanoTime()) + n * 1_000_000_000L / bytesPerSecond;
                awaitTime(free);
                if (!silent) {
                    to.getOutputStream().write(bytes, 0, n);
                    carried.addAndGet(n);
                }
            }
        } catch (IOException ended) {
            // which the other end sees unless the line is silent
        }
    }

    private static void awaitTime(long nanoTime) {
        for (long left = nanoTime - System.nanoTime();
                left > 0;
                left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** An end of the stream waits too. */
    private void awaitVoice() {
        while (silent && !server.isClosed()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /** Ends what passes now, without a goodbye. */
    public void cut() {
        for (Socket end : ends) {
            try {
                end.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
