package dev.skep.transport.link;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.link.FrameLanes.PendingFrame;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import dev.skep.transport.socket.SocketSender.MessagePart;
import dev.skep.wire.Frame;
import dev.skep.wire.Message.SyncError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a link: everything between its socket and its protocol handlers. Frames that come in
 * go to the handler of their protocol, one at a time. Frames that go out wait in lanes.
 * Thread-safe.
 */
final class LinkConnection<P> implements Link, SocketHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LinkConnection.class);
    private static final long REPORT_EVERY = TimeUnit.SECONDS.toNanos(1);
    private static final Duration GOODBYE_PATIENCE = Duration.ofSeconds(2);

    /** What a dialled link writes at once, so that it sees a long frame leave over a slow line. */
    private static final int PART = 32 << 10;

    private static final int NORMAL = 1000;
    private static final int AWAY = 1001;
    private static final int BROKEN = 1006;
    private static final int POLICY = 1008;
    private static final int INTERNAL_ERROR = 1011;
    private static final String CONNECTION_BROKE = "the connection broke";

    private final LinkProtocols<P> linkProtocols;
    private final P peer;
    private final String peerName;
    private final Owner owner;
    private final @Nullable SerialExecutor incoming;
    private final FrameLanes lanes = new FrameLanes(this::write);
    private final AtomicLong progressedAt = new AtomicLong(System.nanoTime());
    private volatile List<LinkProtocolHandler> handlers = List.of();
    private volatile @Nullable SocketSender socket;
    private volatile String cutReason = "";
    private volatile @Nullable String goodbye;

    /** The component that owns the connection. */
    interface Owner {
        /** The socket is open; throws if there may be no link. */
        void opened();

        /** The socket is gone, with the reason for people; also if it never opened. */
        void closed(int code, String reason);
    }

    private LinkConnection(
            LinkProtocols<P> linkProtocols,
            P peer,
            String peerName,
            Owner owner,
            boolean isDialled) {
        this.linkProtocols = linkProtocols;
        this.peer = peer;
        this.peerName = peerName;
        this.owner = owner;
        this.incoming = isDialled ? new SerialExecutor(0, 0, this::handlerFailed) : null;
    }

    /** A hub's end. */
    static <P> LinkConnection<P> accepted(
            LinkProtocols<P> linkProtocols, P peer, String peerName, Owner owner) {
        return new LinkConnection<>(linkProtocols, peer, peerName, owner, false);
    }

    /**
     * A runner's end. It hands frames to a thread of their own and reads on meanwhile, so that it
     * notices the end of the connection while a handler is busy.
     */
    static LinkConnection<String> dialled(
            LinkProtocols<String> linkProtocols, String hub, Owner owner) {
        return new LinkConnection<>(linkProtocols, hub, hub, owner, true);
    }

    // ---- what comes in

    @Override
    public void opened(SocketSender opened) {
        socket = opened;
        try {
            owner.opened();
        } catch (SkepException refused) {
            opened.close(POLICY, refused.code().code());
            return;
        }
        handlers = linkProtocols.open(peer, this);
    }

    @Override
    public void text(String message) throws InterruptedException {
        received(new Frame(false, message.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void binary(ByteBuffer message) throws InterruptedException {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        received(new Frame(true, bytes));
    }

    private void received(Frame frame) throws InterruptedException {
        if (incoming == null) {
            deliver(frame);
        } else {
            progressed();
            incoming.submitInTurn(() -> deliverOnOwnThread(frame));
        }
    }

    private void deliverOnOwnThread(Frame frame) {
        try {
            deliver(frame);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(Frame frame) throws InterruptedException {
        List<LinkProtocolHandler> open = handlers;
        if (open.isEmpty()) {
            return;
        }
        int taker = linkProtocols.protocolFor(frame);
        if (taker == LinkProtocols.NOBODY) {
            refuse(SyncError.BAD_MESSAGE, "no handler for a message of this type");
        } else {
            open.get(taker).received(frame);
        }
    }

    private void handlerFailed(RuntimeException failure) {
        LOG.error("a link's handler failed", failure);
        hangUp(INTERNAL_ERROR, "unexpected failure");
    }

    @Override
    public void part() {
        progressed();
    }

    /** Part of a frame came or left. */
    private void progressed() {
        long now = System.nanoTime();
        long last = progressedAt.get();
        if (now - last >= REPORT_EVERY && progressedAt.compareAndSet(last, now)) {
            handlers.forEach(LinkProtocolHandler::progressed);
        }
    }

    @Override
    public void pinged() {
        // the socket has answered already
    }

    @Override
    public void tooLarge(SocketSender opened, int limit) {
        refuse(
                SyncError.FRAME_TOO_LARGE,
                "a frame may have %,d bytes; send less at once".formatted(limit));
    }

    /** Reports to the peer what is wrong with its message, and closes. */
    private void refuse(String error, String message) {
        LOG.warn("link refused peer={} error={} {}", peerName, error, message);
        urgent(Frame.of(new SyncError(error, message)));
        close(error);
    }

    /** The owner knows at once; handlers first get what came before the end. */
    @Override
    public void closed(int code, String reason) {
        end();
        String words = words(code, reason);
        owner.closed(code, words);
        if (incoming == null) {
            notifyClosed(words);
        } else {
            incoming.end(() -> notifyClosed(words));
        }
    }

    private String words(int code, String reason) {
        if (!cutReason.isEmpty()) {
            return cutReason;
        }
        if (code != BROKEN && !reason.isBlank()) {
            return reason;
        }
        String other = isDialled() ? "the hub" : "the host";
        return switch (code) {
            case NORMAL -> other + " closed it";
            case AWAY -> other + " went away";
            case BROKEN ->
                    isDialled() && reason.equals(SILENT) ? "the hub is silent" : CONNECTION_BROKE;
            default -> "it was closed with code " + code;
        };
    }

    private boolean isDialled() {
        return incoming != null;
    }

    private void notifyClosed(String reason) {
        handlers.forEach(handler -> handler.closed(reason));
    }

    // ---- what goes out

    @Override
    public boolean urgent(Frame frame) {
        return urgent(frame, () -> {});
    }

    @Override
    public boolean urgent(Frame frame, Runnable unsent) {
        FrameLanes.Added added = lanes.addUrgent(frame, unsent);
        if (added == FrameLanes.Added.FULL) {
            cut(isDialled() ? "the hub does not read" : CONNECTION_BROKE);
        }
        return added == FrameLanes.Added.WAITS;
    }

    @Override
    public boolean send(Frame frame) throws InterruptedException {
        return lanes.addBulk(frame);
    }

    @Override
    public boolean stream(Frame frame) throws InterruptedException {
        return lanes.addToStreams(frame);
    }

    @Override
    public void close(String reason) {
        synchronized (this) {
            goodbye = goodbye == null ? reason : goodbye;
        }
        lanes.close();
    }

    /** Closes at once, ahead of waiting frames. */
    void hangUp(String reason) {
        hangUp(NORMAL, reason);
    }

    private void hangUp(int code, String reason) {
        SocketSender out = socket;
        if (out != null) {
            out.close(code, reason);
        }
    }

    /** Ends the connection to a peer that does not read. */
    private void cut(String reason) {
        SocketSender out = socket;
        end();
        cutReason = reason;
        if (out != null) {
            out.cut();
        }
    }

    /** Cuts the connection without a close frame. */
    void drop(String reason) {
        SocketSender out = socket;
        cutReason = reason;
        if (out != null) {
            out.drop();
        }
    }

    /** Releases waiting senders; queued frames are not sent. */
    private void end() {
        lanes.end().forEach(lost -> lost.unsent().run());
    }

    private void write() {
        for (PendingFrame next = lanes.poll(); next != null; next = lanes.poll()) {
            if (!isWritten(next)) {
                next.unsent().run();
            }
        }
        String reason = goodbye;
        if (reason != null && !lanes.hasEnded()) {
            sayGoodbye(reason);
        }
    }

    private boolean isWritten(PendingFrame pending) {
        SocketSender out = socket;
        try {
            if (out != null && isHandedOver(out, pending)) {
                return true;
            }
            if (out != null && out.isOpen()) {
                cut("the hub does not read");
            } else {
                end();
            }
        } catch (InterruptedException | RuntimeException failure) {
            LOG.warn("link cut, writing failed reason={}", String.valueOf(failure));
            cut(CONNECTION_BROKE);
        }
        return false;
    }

    private boolean isHandedOver(SocketSender out, PendingFrame pending)
            throws InterruptedException {
        byte[] bytes = pending.frame().bytes();
        if (!pending.frame().binary()) {
            return out.sendUtf8(ByteBuffer.wrap(bytes), pending.unsent());
        }
        if (!isDialled()) {
            return out.send(ByteBuffer.wrap(bytes), pending.unsent());
        }
        int at = 0;
        do {
            int size = Math.min(PART, bytes.length - at);
            boolean isLast = at + size == bytes.length;
            MessagePart part = new MessagePart(ByteBuffer.wrap(bytes, at, size), at == 0, isLast);
            Runnable unsent = isLast ? pending.unsent() : () -> {};
            if (!out.sendPart(part, this::progressed, unsent)) {
                return false;
            }
            at += size;
        } while (at < bytes.length);
        return true;
    }

    /** A hub that does not answer the goodbye of a runner is not waited for. */
    private void sayGoodbye(String reason) {
        hangUp(NORMAL, reason);
        try {
            if (isDialled() && !lanes.awaitEnd(GOODBYE_PATIENCE)) {
                drop(reason);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
