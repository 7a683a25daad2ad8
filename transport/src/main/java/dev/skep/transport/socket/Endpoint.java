package dev.skep.transport.socket;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Frame;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between the WebSocket library and a handler, on either end of a connection. Public only because
 * the library calls it by reflection.
 */
public final class Endpoint implements Session.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final Duration LAST_RESORT = Duration.ofMinutes(3);
    private static final int GOING_AWAY = 1001;
    private static final int ABNORMAL = 1006;
    private static final int SERVER_ERROR = 1011;

    private final SocketHandler handler;
    private final SocketLimits limits;
    private final Consumer<Endpoint> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile boolean busy;
    private volatile long heardAt;
    private final MessageParts parts;
    private volatile boolean refused;
    private @Nullable Session session;
    private @Nullable Outgoing outgoing;

    Endpoint(SocketHandler handler, SocketLimits limits, Consumer<Endpoint> onEnd) {
        this.handler = handler;
        this.limits = limits;
        this.parts = new MessageParts(limits.message());
        this.onEnd = onEnd;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        // One message, one frame: a peer that cannot put frames together still understands us.
        opened.setMaxFrameSize(limits.message());
        opened.setInputBufferSize(limits.buffer());
        opened.setOutputBufferSize(limits.buffer());
        // Silence is judged by pings; the library's own watch is only the last resort.
        opened.setIdleTimeout(LAST_RESORT);
        Outgoing out = new Outgoing(opened, limits.outgoing());
        session = opened;
        outgoing = out;
        handleThenDemand(() -> handler.opened(out));
    }

    /**
     * Frames are put together here and not by the library: its refusal would leave no last word,
     * and it decodes text, which most receivers only pass on, at a third of all that relaying
     * costs.
     */
    @Override
    public void onWebSocketFrame(Frame frame, Callback callback) {
        ByteBuffer payload = frame.getPayload() == null ? NOTHING.duplicate() : frame.getPayload();
        switch (frame.getType()) {
            case TEXT -> {
                parts.begin(true);
                part(payload, frame.isFin(), callback);
            }
            case BINARY -> {
                parts.begin(false);
                part(payload, frame.isFin(), callback);
            }
            case CONTINUATION -> part(payload, frame.isFin(), callback);
            case PING -> {
                ByteBuffer echo = MessageParts.copy(payload);
                callback.succeed();
                handleThenDemand(() -> pinged(echo));
            }
            case PONG -> {
                callback.succeed();
                handleThenDemand(() -> {});
            }
            // The library answers it and tells us by a method of its own.
            case CLOSE -> callback.succeed();
        }
    }

    private void part(ByteBuffer part, boolean last, Callback callback) {
        if (!parts.fits(part)) {
            callback.succeed();
            handleThenDemand(this::refuseTooLarge);
        } else if (last) {
            ByteBuffer whole = parts.whole(part);
            callback.succeed();
            handleThenDemand(() -> handle(whole));
        } else {
            parts.add(part);
            callback.succeed();
            handleThenDemand(handler::part);
        }
    }

    private void handle(ByteBuffer message) throws InterruptedException {
        if (parts.isText()) {
            handler.utf8(message);
        } else {
            handler.binary(message);
        }
    }

    private void refuseTooLarge() {
        parts.clear();
        refused = true;
        if (outgoing != null) {
            handler.tooLarge(outgoing, limits.message());
        }
    }

    private void pinged(ByteBuffer echo) {
        if (outgoing != null) {
            outgoing.pong(echo);
        }
        handler.pinged();
    }

    @Override
    public void onWebSocketClose(int code, @Nullable String reason, Callback callback) {
        callback.succeed();
        end(code, reason == null ? "" : reason);
    }

    /**
     * The library tells afterwards how an open connection ended; one that never opened does not.
     */
    @Override
    public void onWebSocketError(Throwable cause) {
        if (session == null) {
            end(ABNORMAL, "");
        }
    }

    /** Cuts the connection if the peer gave no sign of life for too long. */
    void dropIfSilent(long nowNanos) {
        Outgoing out = outgoing;
        // While a handler keeps the peer waiting, its pongs lie unread: that is our doing.
        boolean silent = refused || (!busy && nowNanos - heardAt > limits.silence().toNanos());
        if (out != null && silent) {
            out.drop();
            end(ABNORMAL, "");
        }
    }

    /** Asks for a sign of life. */
    void ping() {
        Outgoing out = outgoing;
        if (out != null && !ended.get()) {
            out.ping();
        }
    }

    /**
     * Says goodbye.
     *
     * @param said runs once that is written or cannot be
     */
    void goAway(Runnable said) {
        if (outgoing == null) {
            said.run();
        } else {
            outgoing.sayGoodbye(GOING_AWAY, "shutting down", said);
        }
    }

    private void end(int code, String reason) {
        if (outgoing != null) {
            outgoing.end();
        }
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
            handler.closed(code, reason);
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private void handleThenDemand(Step step) {
        busy = true;
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closeBecause("interrupted");
            return;
        } catch (RuntimeException failure) {
            LOG.error("a socket's handler failed", failure);
            closeBecause("unexpected failure");
            return;
        } finally {
            heardAt = System.nanoTime();
            busy = false;
        }
        // Also once we said goodbye: the peer's goodbye is still to be read. But not the rest of
        // what is too long: its sender falls silent, which ends it.
        if (session != null && !ended.get() && !refused) {
            session.demand();
        }
    }

    private void closeBecause(String reason) {
        if (outgoing != null) {
            outgoing.close(SERVER_ERROR, reason);
        }
    }
}
