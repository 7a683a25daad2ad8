package dev.skep.registry.routes;

import dev.skep.registry.service.Registry;
import dev.skep.registry.service.Subscriber;
import dev.skep.registry.wire.RegistryRequest;
import dev.skep.registry.wire.RegistryRequestReader;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One client of the registry: it receives every change, and answers in the order of its requests.
 */
final class RegistrySocket implements SocketHandler, Subscriber {
    private static final long BEAT_NANOS = 1_000_000_000L;

    private final Registry registry;
    private final RegistryCallHandler registryCallHandler;
    private final RegistryMeter meter;
    private volatile @Nullable SocketSender socketSender;
    private long beatAt;

    RegistrySocket(
            Registry registry, RegistryCallHandler registryCallHandler, RegistryMeter meter) {
        this.registry = registry;
        this.registryCallHandler = registryCallHandler;
        this.meter = meter;
    }

    @Override
    public void opened(SocketSender opened) {
        socketSender = opened;
        registry.subscribe(this);
    }

    @Override
    public void text(String message) throws InterruptedException {
        Optional<RegistryRequest> request = RegistryRequestReader.read(message);
        SocketSender out = socketSender;
        if (request.isPresent() && out != null) {
            out.send(meter.timed(request.get(), registryCallHandler::answer));
        }
    }

    @Override
    public void binary(ByteBuffer message) {
        // Not part of the protocol; ignored like every frame that is no request.
    }

    /** A sign of life, once a second at most. */
    @Override
    public void pinged() {
        long now = System.nanoTime();
        if (beatAt == 0 || now - beatAt > BEAT_NANOS) {
            beatAt = now;
            registry.recordActivity(registryCallHandler.registryConnection());
        }
    }

    @Override
    public void closed(int code, String reason) {
        registry.unsubscribe(this);
        registry.disconnected(registryCallHandler.registryConnection());
    }

    @Override
    public boolean offer(ByteBuffer frame) {
        SocketSender out = socketSender;
        return out != null && out.offer(frame);
    }

    /** To agents one after the other: a thousand at once would delay the next dashboard. */
    @Override
    public void flush() {
        SocketSender out = socketSender;
        if (out != null && isDashboard()) {
            out.flushSoon();
        } else if (out != null) {
            out.flush();
        }
    }

    @Override
    public boolean isDashboard() {
        return !registryCallHandler.hasRegistered();
    }

    @Override
    public void dropped() {
        SocketSender out = socketSender;
        if (out != null) {
            out.cut();
        }
    }
}
