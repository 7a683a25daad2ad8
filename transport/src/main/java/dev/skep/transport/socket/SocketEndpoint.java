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
public final class SocketEndpoint implements Session.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(SocketEndpoint.class);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final Duration LAST_RESORT = Duration.ofMinutes(3);
    private static final int GOING_AWAY = 1001;
    private static final int ABNORMAL = 1006;
    private static final int SERVER_ERROR = 1011;

    private final SocketHandler handler;
    private final SocketLimits limits;
    private final Consumer<SocketEndpoint> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final KeepAlive keepAlive;
    private volatile boolean busy;
    private final MessageAssembler messageAssembler;
    private volatile boolean refused;
    private @Nullable Session session;
    private @Nullable SocketSender socketSender;

    SocketEndpoint(SocketHandler handler, SocketLimits limits, Consumer<SocketEndpoint> onEnd) {
        this.handler = handler;
        this.limits = limits;
        this.messageAssembler = new MessageAssembler(limits.message());
        this.keepAlive = new KeepAlive(limits, System.nanoTime());
        this.onEnd = onEnd;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
        // One message, one frame: a peer that cannot put frames together still understands us.
        opened.setMaxFrameSize(limits.message());
        opened.setInputBufferSize(limits.buffer());
        opened.setOutputBufferSize(limits.buffer());
        // Pings detect silence; the library's own timeout is only the last resort.
        opened.setIdleTimeout(LAST_RESORT);
        SocketSender out = new SocketSender(opened, limits.outgoing(), limits.patience());
        session = opened;
        socketSender = out;
        handleThenRequestNext(() -> handler.opened(out));
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
                messageAssembler.begin(true);
                part(payload, frame.isFin(), callback);
            }
            case BINARY -> {
                messageAssembler.begin(false);
                part(payload, frame.isFin(), callback);
            }
            case CONTINUATION -> part(payload, frame.isFin(), callback);
            case PING -> {
                ByteBuffer echo = MessageAssembler.copy(payload);
                callback.succeed();
                handleThenRequestNext(() -> pinged(echo));
            }
            case PONG -> {
                callback.succeed();
                handleThenRequestNext(() -> {});
            }
            // The library answers it and calls onWebSocketClose.
            case CLOSE -> callback.succeed();
        }
    }

    private void part(ByteBuffer part, boolean last, Callback callback) {
        if (!messageAssembler.fits(part)) {
            callback.succeed();
            handleThenRequestNext(this::refuseTooLarge);
        } else if (last) {
            ByteBuffer whole = messageAssembler.whole(part);
            callback.succeed();
            handleThenRequestNext(() -> handle(whole));
        } else {
            messageAssembler.add(part);
            callback.succeed();
            handleThenRequestNext(handler::part);
        }
    }

    private void handle(ByteBuffer message) throws InterruptedException {
        if (messageAssembler.isText()) {
            handler.utf8(message);
        } else {
            handler.binary(message);
        }
    }

    private void refuseTooLarge() {
        messageAssembler.clear();
        refused = true;
        if (socketSender != null) {
            handler.tooLarge(socketSender, limits.message());
        }
    }

    private void pinged(ByteBuffer echo) {
        keepAlive.pinged(System.nanoTime());
        if (socketSender != null) {
            socketSender.pong(echo);
        }
        handler.pinged();
    }

    @Override
    public void onWebSocketClose(int code, @Nullable String reason, Callback callback) {
        callback.succeed();
        // Without a reason from the peer, the library's own text is not one.
        end(code, reason == null || code == ABNORMAL ? "" : reason);
    }

    /**
     * The library reports the end of an open connection separately; not of one that never opened.
     */
    @Override
    public void onWebSocketError(Throwable cause) {
        if (session == null) {
            end(ABNORMAL, "");
        }
    }

    /**
     * Asks for a sign of life if it is time, and cuts the connection if there was none for long.
     */
    void keepAlive(long now) {
        SocketSender out = socketSender;
        if (out == null) {
            return;
        }
        if (refused) {
            drop(out, "");
            return;
        }
        if (busy) {
            // While a handler keeps the peer waiting, its pongs lie unread: that is our doing.
            keepAlive.received(now);
        }
        switch (keepAlive.look(now)) {
            case WAIT -> {}
            case ASK -> out.ping();
            case GIVE_UP -> drop(out, SocketHandler.SILENT);
        }
    }

    private void drop(SocketSender out, String reason) {
        // Reported first: the library's own report would say less.
        end(ABNORMAL, reason);
        out.drop();
    }

    /**
     * Closes with "going away".
     *
     * @param said runs once that is written or cannot be
     */
    void closeGoingAway(Runnable said) {
        if (socketSender == null) {
            said.run();
        } else {
            socketSender.sayGoodbye(GOING_AWAY, "shutting down", said);
        }
    }

    private void end(int code, String reason) {
        if (socketSender != null) {
            socketSender.end();
        }
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
            handler.closed(code, reason);
        }
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private void handleThenRequestNext(Step step) {
        busy = true;
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closeWithReason("interrupted");
            return;
        } catch (RuntimeException failure) {
            LOG.error("a socket's handler failed", failure);
            closeWithReason("unexpected failure");
            return;
        } finally {
            keepAlive.received(System.nanoTime());
            busy = false;
        }
        // Also after our close frame: the peer's is still to be read. But not the rest of a message
        // that is too long: its sender falls silent, which ends it.
        if (session != null && !ended.get() && !refused) {
            session.demand();
        }
    }

    private void closeWithReason(String reason) {
        if (socketSender != null) {
            socketSender.close(SERVER_ERROR, reason);
        }
    }
}
