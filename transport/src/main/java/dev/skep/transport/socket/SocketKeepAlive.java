package dev.skep.transport.socket;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The open sockets of one side, pinged so that a peer that is gone is noticed without TCP. */
final class SocketKeepAlive implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(SocketKeepAlive.class);
    private static final long PATIENCE_MILLIS = 1_000;

    /** Silence is noticed about as soon as it is one. */
    static final int LOOKS_PER_PING = 4;

    private final SocketLimits limits;
    private final Set<SocketEndpoint> open = ConcurrentHashMap.newKeySet();
    private final PeriodicTask looking;
    private long before;

    SocketKeepAlive(SocketLimits limits) {
        this.limits = limits;
        this.looking =
                new PeriodicTask(
                        "socket-pings", limits.pingEvery().dividedBy(LOOKS_PER_PING), this::look);
    }

    SocketEndpoint keep(SocketHandler handler) {
        SocketEndpoint endpoint = new SocketEndpoint(handler, limits, open::remove);
        open.add(endpoint);
        return endpoint;
    }

    void drop(SocketEndpoint endpoint) {
        open.remove(endpoint);
    }

    int count() {
        return open.size();
    }

    @Override
    public void start() {
        before = System.nanoTime();
        looking.start();
    }

    private void look() {
        long now = System.nanoTime();
        // After this process stood still itself, what came meanwhile is still to be read.
        boolean stoodStill = now - before >= limits.pingEvery().toNanos();
        before = now;
        if (!stoodStill) {
            open.forEach(endpoint -> endpoint.keepAlive(now));
        }
    }

    /**
     * Closes every socket with a close frame, so that the listener need not wait for them. Peers
     * that read have received it when this returns; others are not waited for.
     */
    @Override
    public void close() {
        looking.close();
        List<SocketEndpoint> left = List.copyOf(open);
        CountDownLatch unsaid = new CountDownLatch(left.size());
        left.forEach(endpoint -> endpoint.closeGoingAway(unsaid::countDown));
        try {
            if (!unsaid.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.info("{} sockets are closed without a goodbye", unsaid.getCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
