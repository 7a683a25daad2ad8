package dev.skep.transport.link;

import dev.skep.transport.socket.CloseReasons;
import dev.skep.wire.Frame;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.WireLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The runner's socket of one link. Frames are put together here; one is read at a time. */
final class DialledLink implements WebSocket.Listener, FrameSink {
    /** A little less often than a hub asks, so that usually its question is enough for both. */
    static final Duration PING_EVERY = Duration.ofSeconds(5);

    /** For one part of a frame: a slow line is not one that nobody reads from. */
    private static final Duration WRITE_PATIENCE = Duration.ofSeconds(60);

    private static final int PART = 32 << 10;
    private static final Duration GOODBYE_PATIENCE = Duration.ofSeconds(2);

    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final Semaphore news = new Semaphore(0);
    private final StringBuilder text = new StringBuilder();
    private ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final LinkProtocols<String> linkProtocols;
    private final String hub;
    private final KeepAlive keepAlive;
    private volatile @Nullable WebSocket socket;
    private volatile @Nullable LinkConnection<String> linkConnection;

    DialledLink(LinkProtocols<String> linkProtocols, String hub, Duration pingEvery) {
        this.linkProtocols = linkProtocols;
        this.hub = hub;
        this.keepAlive = new KeepAlive(pingEvery, System.nanoTime());
    }

    /** The reason once the socket is gone, else null. */
    @Nullable String ended() {
        return closed.getNow(null);
    }

    /** Waits until the socket is gone, it is to be kept alive, or the time is up. */
    void awaitEvent(Duration atMost) throws InterruptedException {
        long wait = Math.min(atMost.toNanos(), keepAlive.nanosToLook(System.nanoTime()));
        if (news.tryAcquire(wait, TimeUnit.NANOSECONDS)) {
            news.drainPermits();
        }
    }

    /** Asks for a sign of life if it is time; a hub that gave none for long is cut off. */
    void keepAlive() {
        WebSocket current = socket;
        if (current == null) {
            return;
        }
        switch (keepAlive.look(System.nanoTime())) {
            case WAIT -> {}
            case ASK -> {
                var _ =
                        current.sendPing(ByteBuffer.allocate(0))
                                .exceptionally(failure -> unanswerable(current, failure));
            }
            case GIVE_UP -> {
                finish("the hub is silent");
                current.abort();
            }
        }
    }

    @Override
    public void onOpen(WebSocket opened) {
        socket = opened;
        linkConnection = new LinkConnection<>(this, linkProtocols, hub, hub);
        opened.request(1);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        heardMessage();
        text.append(part);
        if (text.length() > WireLimits.MESSAGE) {
            refuseTooLarge();
            return null;
        }
        if (last) {
            byte[] json = text.toString().getBytes(StandardCharsets.UTF_8);
            text.setLength(0);
            text.trimToSize();
            received(new Frame(false, json));
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
        heardMessage();
        if (bytes.size() + part.remaining() > WireLimits.MESSAGE) {
            refuseTooLarge();
            return null;
        }
        byte[] copied = new byte[part.remaining()];
        part.get(copied);
        if (last && bytes.size() == 0) {
            received(new Frame(true, copied));
        } else {
            bytes.writeBytes(copied);
            if (last) {
                byte[] whole = bytes.toByteArray();
                bytes = new ByteArrayOutputStream();
                received(new Frame(true, whole));
            }
        }
        from.request(1);
        return null;
    }

    private void heardMessage() {
        progressed();
        if (keepAlive.message(System.nanoTime())) {
            news.release();
        }
    }

    private void progressed() {
        LinkConnection<String> current = linkConnection;
        if (current != null) {
            current.progressed();
        }
    }

    private void refuseTooLarge() {
        LinkConnection<String> current = linkConnection;
        if (current != null) {
            current.refuse(
                    SyncError.FRAME_TOO_LARGE,
                    "a frame may have %,d bytes; send less at once".formatted(WireLimits.MESSAGE));
        }
    }

    private void received(Frame frame) {
        LinkConnection<String> current = linkConnection;
        try {
            if (current != null) {
                current.received(frame);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
        keepAlive.sign(System.nanoTime());
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        keepAlive.sign(System.nanoTime());
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        finish(reason.isEmpty() ? "closed by the hub, code " + code : reason);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        finish(brokenBy(error));
    }

    /** A ping that is refused because the last one still waits says nothing. */
    private WebSocket unanswerable(WebSocket current, Throwable failure) {
        return failure instanceof IOException ? broken(current, failure) : current;
    }

    /** A write that fails may be all we ever hear: the library can stay silent about the rest. */
    private WebSocket broken(WebSocket current, @Nullable Throwable failure) {
        finish(brokenBy(failure));
        current.abort();
        return current;
    }

    private static String brokenBy(@Nullable Throwable error) {
        return "the connection broke"
                + (error == null ? "" : ": " + error.getClass().getSimpleName());
    }

    private void finish(String reason) {
        LinkConnection<String> current = linkConnection;
        if (closed.complete(reason)) {
            news.release();
            if (current != null) {
                current.closed(reason);
            }
        }
    }

    @Override
    public boolean write(Frame frame, Runnable unsent) throws InterruptedException {
        WebSocket current = socket;
        if (current == null || closed.isDone()) {
            return false;
        }
        if (!frame.binary()) {
            String whole = new String(frame.bytes(), StandardCharsets.UTF_8);
            return written(current, current.sendText(whole, true));
        }
        int at = 0;
        do {
            int next = Math.min(PART, frame.size() - at);
            ByteBuffer part = ByteBuffer.wrap(frame.bytes(), at, next);
            at += next;
            if (!written(current, current.sendBinary(part, at == frame.size()))) {
                return false;
            }
            progressed();
        } while (at < frame.size());
        return true;
    }

    private boolean written(WebSocket current, CompletableFuture<WebSocket> part)
            throws InterruptedException {
        try {
            part.get(WRITE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException failed) {
            broken(current, failed.getCause());
            return false;
        } catch (TimeoutException stuck) {
            finish("the hub does not read");
            current.abort();
            return false;
        }
    }

    @Override
    public void close(String reason) {
        WebSocket current = socket;
        if (current == null) {
            return;
        }
        var _ = current.sendClose(WebSocket.NORMAL_CLOSURE, CloseReasons.fitting(reason));
        try {
            closed.get(GOODBYE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException unanswered) {
            // no goodbye in return
        }
        finish(reason);
        current.abort();
    }

    @Override
    public void cut() {
        WebSocket current = socket;
        finish("cut");
        if (current != null) {
            current.abort();
        }
    }

    /** Ends the link from outside, with a goodbye. */
    void leave(String reason) {
        LinkConnection<String> current = linkConnection;
        if (current != null) {
            current.close(reason);
        }
    }
}
