package dev.skep.transport.link;

import dev.skep.wire.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What waits to go out on one link: urgent frames first, then bulk and streams in turn. While
 * something waits a virtual thread writes it; an idle link has none. Thread-safe.
 */
final class OutgoingFrames {
    private static final Logger LOG = LoggerFactory.getLogger(OutgoingFrames.class);

    /** Bulk that may wait before senders do. */
    private static final long BULK_BYTES = 1 << 20;

    private static final long STREAM_BYTES = 256 << 10;

    private static final int URGENT_FRAMES = 1_000;

    private final FrameSink sink;
    private final Deque<PendingFrame> urgent = new ArrayDeque<>(2);
    private final FrameQueue bulk = new FrameQueue(BULK_BYTES);
    private final FrameQueue streams = new FrameQueue(STREAM_BYTES);
    private boolean streamsTurn;
    private boolean writing;
    private boolean ended;
    private @Nullable String goodbye;

    OutgoingFrames(FrameSink sink) {
        this.sink = sink;
    }

    /** A frame, and who is to know if the link ends before it was written. */
    private record PendingFrame(Frame frame, Runnable unsent) {
        static PendingFrame plain(Frame frame) {
            return new PendingFrame(frame, () -> {});
        }
    }

    boolean urgent(Frame frame) {
        return urgent(PendingFrame.plain(frame));
    }

    boolean urgent(Frame frame, Runnable unsent) {
        return urgent(new PendingFrame(frame, unsent));
    }

    private boolean urgent(PendingFrame pendingFrame) {
        synchronized (this) {
            if (isClosing()) {
                return false;
            }
            if (urgent.size() < URGENT_FRAMES) {
                urgent.add(pendingFrame);
                startWriting();
                return true;
            }
        }
        cut();
        return false;
    }

    boolean send(Frame frame) throws InterruptedException {
        return send(bulk, frame);
    }

    boolean stream(Frame frame) throws InterruptedException {
        return send(streams, frame);
    }

    private synchronized boolean send(FrameQueue frameQueue, Frame frame)
            throws InterruptedException {
        while (!isClosing() && !frameQueue.hasRoom()) {
            wait();
        }
        if (isClosing()) {
            return false;
        }
        frameQueue.add(frame);
        startWriting();
        return true;
    }

    /** Takes no more; what waits is written first. */
    synchronized void close(String reason) {
        if (!isClosing()) {
            goodbye = reason;
            notifyAll();
            startWriting();
        }
    }

    void cut() {
        end();
        sink.cut();
    }

    /** The socket is gone: nobody waits any longer. */
    void end() {
        List<PendingFrame> unsent;
        synchronized (this) {
            ended = true;
            unsent = List.copyOf(urgent);
            urgent.clear();
            bulk.clear();
            streams.clear();
            notifyAll();
        }
        unsent.forEach(pendingFrame -> pendingFrame.unsent().run());
    }

    private boolean isClosing() {
        return ended || goodbye != null;
    }

    private void startWriting() {
        if (!writing) {
            writing = true;
            Thread.ofVirtual().name("link-writer").start(this::write);
        }
    }

    private void write() {
        for (PendingFrame next = next(); next != null; next = next()) {
            if (!written(next)) {
                next.unsent().run();
            }
        }
    }

    private boolean written(PendingFrame pendingFrame) {
        try {
            if (sink.write(pendingFrame.frame(), pendingFrame.unsent())) {
                return true;
            }
            end();
        } catch (InterruptedException | RuntimeException failure) {
            LOG.warn("link cut, writing failed reason={}", String.valueOf(failure));
            cut();
        }
        return false;
    }

    private @Nullable PendingFrame next() {
        String reason;
        synchronized (this) {
            PendingFrame next = urgent.poll();
            if (next != null) {
                return next;
            }
            Frame inTurn = nextInTurn();
            if (inTurn != null) {
                return PendingFrame.plain(inTurn);
            }
            writing = false;
            reason = ended ? null : goodbye;
        }
        if (reason != null) {
            sink.close(reason);
        }
        return null;
    }

    private @Nullable Frame nextInTurn() {
        Frame next = (streamsTurn ? streams : bulk).poll();
        if (next == null) {
            next = (streamsTurn ? bulk : streams).poll();
        } else {
            streamsTurn = !streamsTurn;
        }
        if (next != null) {
            notifyAll();
        }
        return next;
    }
}
