package dev.skep.transport.socket;

import dev.skep.kernel.lifecycle.Component;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The open sockets of one side, pinged so that a peer that is gone is noticed without TCP. */
final class KeptSockets implements Component {
    private final SocketLimits limits;
    private final Set<Endpoint> open = ConcurrentHashMap.newKeySet();
    private @Nullable Thread pinging;

    KeptSockets(SocketLimits limits) {
        this.limits = limits;
    }

    Endpoint keep(SocketHandler handler) {
        Endpoint endpoint = new Endpoint(handler, limits, open::remove);
        open.add(endpoint);
        return endpoint;
    }

    void drop(Endpoint endpoint) {
        open.remove(endpoint);
    }

    int count() {
        return open.size();
    }

    @Override
    public void start() {
        pinging = Thread.ofVirtual().name("socket-pings").start(this::pingForEver);
    }

    private void pingForEver() {
        try {
            while (true) {
                Thread.sleep(limits.pingEvery());
                long now = System.nanoTime();
                open.forEach(endpoint -> endpoint.keepAlive(now));
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Says goodbye to everybody, so that the listener need not wait for them. */
    @Override
    public void close() {
        if (pinging != null) {
            pinging.interrupt();
        }
        open.forEach(Endpoint::goAway);
    }
}
