package dev.skep.transport.socket;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Between the WebSocket library and a handler, on either end of a connection. */
final class Endpoint implements Session.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);
    private static final int ABNORMAL = 1006;
    private static final int SERVER_ERROR = 1011;

    private final SocketHandler handler;
    private final long outgoingLimit;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Session session;
    private @Nullable Outgoing outgoing;

    Endpoint(SocketHandler handler, long outgoingLimit) {
        this.handler = handler;
        this.outgoingLimit = outgoingLimit;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        // One message, one frame: a peer that cannot put frames together still understands us.
        opened.setMaxFrameSize(opened.getMaxTextMessageSize());
        session = opened;
        outgoing = new Outgoing(opened, outgoingLimit);
        Outgoing out = outgoing;
        handleThenDemand(() -> handler.opened(out));
    }

    @Override
    public void onWebSocketText(String message) {
        handleThenDemand(() -> handler.text(message));
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        ByteBuffer kept = copy(payload);
        callback.succeed();
        handleThenDemand(() -> handler.binary(kept));
    }

    @Override
    public void onWebSocketPing(ByteBuffer payload) {
        if (outgoing != null) {
            outgoing.pong(copy(payload));
        }
        handleThenDemand(handler::alive);
    }

    @Override
    public void onWebSocketPong(ByteBuffer payload) {
        handleThenDemand(handler::alive);
    }

    @Override
    public void onWebSocketClose(int code, @Nullable String reason, Callback callback) {
        callback.succeed();
        end(code, reason == null ? "" : reason);
    }

    /** The library says how the connection ended afterwards; its own fault ends here. */
    @Override
    public void onWebSocketError(Throwable cause) {
        if (session == null || !session.isOpen()) {
            end(ABNORMAL, "");
        }
    }

    private void end(int code, String reason) {
        if (outgoing != null) {
            outgoing.end();
        }
        if (closed.compareAndSet(false, true)) {
            handler.closed(code, reason);
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private void handleThenDemand(Step step) {
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
        }
        if (session != null && session.isOpen()) {
            session.demand();
        }
    }

    private void closeBecause(String reason) {
        if (outgoing != null) {
            outgoing.close(SERVER_ERROR, reason);
        }
    }

    private static ByteBuffer copy(ByteBuffer payload) {
        return ByteBuffer.allocate(payload.remaining()).put(payload).flip();
    }
}
