package dev.skep.transport.loopback;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves HTTP/1.1 on a free port of 127.0.0.1, so that programs on this machine and nobody else can
 * reach it. Thread-safe.
 */
public final class LoopbackServer implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(LoopbackServer.class);

    /** Longest body that is taken unless told otherwise; with images they reach 7 MB. */
    public static final long LONGEST_BODY = 32L << 20;

    private static final int MOST_CONNECTIONS = 1_024;
    private static final Duration CLOSING = Duration.ofSeconds(2);

    private final Map<String, LoopbackHandler> byPathPrefix;
    private final long longestBody;
    private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
    private final Map<LoopbackConnection, Thread> open = new ConcurrentHashMap<>();
    private volatile @Nullable ServerSocket listening;
    private volatile boolean closed;

    public LoopbackServer(Map<String, LoopbackHandler> byPathPrefix) {
        this(byPathPrefix, LONGEST_BODY);
    }

    public LoopbackServer(Map<String, LoopbackHandler> byPathPrefix, long longestBody) {
        this.byPathPrefix = Map.copyOf(byPathPrefix);
        this.longestBody = longestBody;
    }

    @Override
    public synchronized void start() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 256);
            listening = socket;
            Thread.ofVirtual().name("loopback-accept").start(() -> accept(socket));
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.INTERNAL, "no port of 127.0.0.1 can be listened on", e);
        }
    }

    /** The port it listens on; only after {@link #start}. */
    public int port() {
        ServerSocket socket = listening;
        if (socket == null) {
            throw new IllegalStateException("not started");
        }
        return socket.getLocalPort();
    }

    /** As programs are told it: {@code http://127.0.0.1:PORT}. */
    public String address() {
        return "http://127.0.0.1:" + port();
    }

    private void accept(ServerSocket socket) {
        while (!closed) {
            try {
                room.acquire();
                serve(socket.accept());
            } catch (IOException e) {
                room.release();
                if (!closed && socket.isClosed()) {
                    LOG.warn("loopback stopped listening");
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        LoopbackConnection connection = new LoopbackConnection(socket, this::handler, longestBody);
        Thread thread =
                Thread.ofVirtual()
                        .name("loopback")
                        .unstarted(
                                () -> {
                                    try {
                                        connection.run();
                                    } finally {
                                        open.remove(connection);
                                        room.release();
                                    }
                                });
        open.put(connection, thread);
        thread.start();
        if (closed) {
            connection.close();
        }
    }

    /** That of the longest prefix that ends at a slash or at the end of the path. */
    private Optional<LoopbackHandler> handler(String path) {
        String prefix = path;
        while (!prefix.isEmpty()) {
            LoopbackHandler handler = byPathPrefix.get(prefix);
            if (handler != null) {
                return Optional.of(handler);
            }
            prefix = prefix.substring(0, prefix.lastIndexOf('/'));
        }
        return Optional.empty();
    }

    /** Ends open exchanges, and waits a moment until their handlers have returned. */
    @Override
    public void close() {
        closed = true;
        ServerSocket socket = listening;
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            LOG.debug("loopback did not close cleanly", e);
        }
        Map<LoopbackConnection, Thread> ending = Map.copyOf(open);
        ending.keySet().forEach(LoopbackConnection::close);
        join(Set.copyOf(ending.values()));
    }

    private static void join(Set<Thread> threads) {
        long end = System.nanoTime() + CLOSING.toNanos();
        try {
            for (Thread thread : threads) {
                Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
                if (!thread.join(left)) {
                    LOG.warn("a handler of loopback does not end");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
