package dev.skep.dispatch.routes;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.dispatch.event.OrgEvents;
import dev.skep.dispatch.event.Subscription;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.Json;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One listener over a WebSocket; it receives events, and whatever it sends is ignored. */
final class EventSocket implements SocketHandler {
    private static final Duration LOOK = Duration.ofSeconds(15);
    private static final int COME_BACK = 1012;

    private final Subscription subscription;
    private volatile boolean closed;

    EventSocket(OrgEvents events, OrgId org, Optional<String> after) {
        this.subscription = events.subscribe(org, after);
    }

    @Override
    public void opened(SocketSender socketSender) throws InterruptedException {
        if (subscription.isReset()) {
            socketSender.send(Json.text(Map.of("type", "reset")));
        }
        Thread.ofVirtual().name("event-socket").start(() -> stream(socketSender));
    }

    private void stream(SocketSender socketSender) {
        try {
            while (!closed && !subscription.isOver()) {
                OrgEvent event = subscription.next(LOOK);
                if (event != null && !socketSender.send(Json.text(event))) {
                    return;
                }
            }
            socketSender.close(COME_BACK, "reconnect with the last id you received");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void text(String message) {}

    @Override
    public void binary(ByteBuffer message) {}

    @Override
    public void pinged() {}

    @Override
    public void closed(int code, String reason) {
        closed = true;
        subscription.close();
    }
}
