package dev.skep.transport.link;

import dev.skep.wire.Frame;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait to go out on one link: urgent ones first, then bulk and streams in turn. While
 * some wait a virtual thread writes them; an idle link has none. Thread-safe.
 */
final class FrameLanes {
    /** Bulk that may wait before senders do. */
    private static final long BULK_BYTES = 1 << 20;

    private static final long STREAM_BYTES = 256 << 10;

    private static final int URGENT_FRAMES = 1_000;

    private final Runnable writer;
    private final Deque<PendingFrame> urgent = new ArrayDeque<>(2);
    private final Lane bulk = new Lane(BULK_BYTES);
    private final Lane streams = new Lane(STREAM_BYTES);
    private boolean streamsTurn;
    private boolean writing;
    private boolean closing;
    private boolean ended;

    /** A frame, and what runs if the link ends before it was written. */
    record PendingFrame(Frame frame, Runnable unsent) {}

    /** What became of an urgent frame. */
    enum Added {
        WAITS,
        CLOSED,
        /** So many urgent frames wait that the peer cannot be reading. */
        FULL
    }

    /**
     * Frames in order. There is room while less than the limit waits, whatever the size of the next
     * frame, so that small frames do not keep large ones out.
     */
    private static final class Lane {
        private final long limit;
        private final Deque<Frame> frames = new ArrayDeque<>(2);
        private long bytes;

        Lane(long limitBytes) {
            this.limit = limitBytes;
        }

        boolean hasRoom() {
            return bytes < limit;
        }

        void add(Frame frame) {
            frames.add(frame);
            bytes += frame.size();
        }

        @Nullable Frame poll() {
            Frame next = frames.poll();
            if (next != null) {
                bytes -= next.size();
            }
            return next;
        }

        void clear() {
            frames.clear();
            bytes = 0;
        }
    }

    /** The writer takes frames until there are none; it runs again when one comes. */
    FrameLanes(Runnable writer) {
        this.writer = writer;
    }

    synchronized Added addUrgent(Frame frame, Runnable unsent) {
        if (closing) {
            return Added.CLOSED;
        }
        if (urgent.size() >= URGENT_FRAMES) {
            return Added.FULL;
        }
        urgent.add(new PendingFrame(frame, unsent));
        startWriting();
        return Added.WAITS;
    }

    /** Waits for room; false if the lanes are closed. */
    boolean addBulk(Frame frame) throws InterruptedException {
        return add(bulk, frame);
    }

    /** The same, for streams. */
    boolean addToStreams(Frame frame) throws InterruptedException {
        return add(streams, frame);
    }

    private synchronized boolean add(Lane lane, Frame frame) throws InterruptedException {
        while (!closing && !lane.hasRoom()) {
            wait();
        }
        if (closing) {
            return false;
        }
        lane.add(frame);
        startWriting();
        return true;
    }

    /** Takes no more. The writer gets what waits, and runs once more if nothing does. */
    synchronized void close() {
        if (!closing) {
            closing = true;
            notifyAll();
            startWriting();
        }
    }

    /**
     * Drops what is queued and releases waiting senders; returns the urgent frames that were lost.
     */
    synchronized List<PendingFrame> end() {
        List<PendingFrame> unsent = List.copyOf(urgent);
        closing = true;
        ended = true;
        urgent.clear();
        bulk.clear();
        streams.clear();
        notifyAll();
        return unsent;
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    /** Waits for the end; false if it does not come in time. */
    synchronized boolean awaitEnd(Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        for (long left = patience.toNanos(); left > 0 && !ended; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return ended;
    }

    private void startWriting() {
        if (!writing) {
            writing = true;
            Thread.ofVirtual().name("link-writer").start(writer);
        }
    }

    /** For the writer alone: the next frame, or null when there is nothing more to write. */
    synchronized @Nullable PendingFrame poll() {
        PendingFrame next = urgent.poll();
        if (next != null) {
            return next;
        }
        Frame inTurn = (streamsTurn ? streams : bulk).poll();
        if (inTurn == null) {
            inTurn = (streamsTurn ? bulk : streams).poll();
        } else {
            streamsTurn = !streamsTurn;
        }
        if (inTurn == null) {
            writing = false;
            return null;
        }
        notifyAll();
        return new PendingFrame(inTurn, () -> {});
    }
}
