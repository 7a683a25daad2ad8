package dev.skep.transport.socket;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.common.WebSocketSession;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;

/**
 * The outgoing side of one WebSocket. What was handed over and not yet written to the network never
 * exceeds the limit by more than one message. Messages of one thread stay in order, and those that
 * are handed over faster than the network takes them go out together. Thread-safe.
 */
public final class SocketSender implements MessageSender {
    /** What a message costs in memory besides its bytes. */
    private static final int OVERHEAD = 256;

    /** Codes that describe how a socket ended and must not be sent. */
    private static final int ABNORMAL = 1006;

    private final Session session;
    private final CoreSession frames;
    private final long limit;
    private final long patience;
    private final AtomicBoolean flushing = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private volatile boolean goodbye;
    private long onTheWay;
    private boolean ended;

    SocketSender(Session session, long limitBytes, Duration patience) {
        this.session = session;
        // Below the session, since only there frames can be gathered before they are written.
        this.frames = ((WebSocketSession) session).getCoreSession();
        this.limit = limitBytes;
        this.patience = patience.toNanos();
    }

    @Override
    public boolean send(String text) throws InterruptedException {
        return send(
                new Frame(OpCode.TEXT, text),
                text.length(),
                SocketSender::doNothing,
                SocketSender::doNothing);
    }

    @Override
    public boolean send(ByteBuffer bytes) throws InterruptedException {
        return send(bytes, SocketSender::doNothing);
    }

    /**
     * The same.
     *
     * @param unsent runs if this answered true and the connection broke before it was written
     */
    public boolean send(ByteBuffer bytes, Runnable unsent) throws InterruptedException {
        return send(
                new Frame(OpCode.BINARY, bytes),
                bytes.remaining(),
                SocketSender::doNothing,
                unsent);
    }

    @Override
    public boolean sendUtf8(ByteBuffer text) throws InterruptedException {
        return sendUtf8(text, SocketSender::doNothing);
    }

    /**
     * The same.
     *
     * @param unsent runs if this answered true and the connection broke before it was written
     */
    public boolean sendUtf8(ByteBuffer text, Runnable unsent) throws InterruptedException {
        return send(
                new Frame(OpCode.TEXT, text), text.remaining(), SocketSender::doNothing, unsent);
    }

    /**
     * Sends a part of a binary message; the caller sends nothing else before the last part.
     *
     * @param written runs when the part has left
     * @param unsent runs if this answered true and the connection broke before the part was written
     */
    public boolean sendPart(MessagePart part, Runnable written, Runnable unsent)
            throws InterruptedException {
        Frame frame = new Frame(part.isFirst() ? OpCode.BINARY : OpCode.CONTINUATION, part.bytes());
        frame.setFin(part.isLast());
        return send(frame, part.bytes().remaining(), written, unsent);
    }

    /** A part of a binary message. */
    public record MessagePart(ByteBuffer bytes, boolean isFirst, boolean isLast) {}

    private boolean send(Frame frame, int payload, Runnable written, Runnable unsent)
            throws InterruptedException {
        int size = payload + OVERHEAD;
        if (!awaitRoom(size)) {
            return false;
        }
        hand(frame, size, written, unsent);
        flushSoon();
        return true;
    }

    /**
     * Hands UTF-8 text over without waiting; false if there is no room or it is closed. It is sent
     * with whatever comes next, {@link #flush} or {@link #flushSoon} at the latest.
     */
    public boolean offer(ByteBuffer text) {
        int size = text.remaining() + OVERHEAD;
        if (!takeRoom(size)) {
            return false;
        }
        hand(new Frame(OpCode.TEXT, text), size, SocketSender::doNothing, SocketSender::doNothing);
        return true;
    }

    /** Writes what the network takes of what was handed over; does not wait for the rest. */
    public void flush() {
        frames.flush(Callback.from(() -> {}, failure -> end()));
    }

    /** The same on a thread of its own, together with what is handed over until then. */
    public void flushSoon() {
        if (flushing.compareAndSet(false, true)) {
            Thread.startVirtualThread(
                    () -> {
                        // Whatever comes from now on asks for a flush of its own.
                        flushing.set(false);
                        flush();
                    });
        }
    }

    /** Asks the peer for a sign of life; skipped while messages are stuck before it. */
    public void ping() {
        control(new Frame(OpCode.PING));
    }

    void pong(ByteBuffer payload) {
        control(new Frame(OpCode.PONG, payload));
    }

    private void control(Frame frame) {
        if (takeRoom(OVERHEAD)) {
            hand(frame, OVERHEAD, SocketSender::doNothing, SocketSender::doNothing);
            flushSoon();
        }
    }

    /** As the interface says; 1006, which may not be sent, cuts the connection. */
    @Override
    public void close(int code, String reason) {
        if (code == ABNORMAL) {
            cut();
        } else {
            sayGoodbye(code, reason, SocketSender::doNothing);
        }
    }

    /**
     * The same.
     *
     * @param said runs as soon as the close frame is written or cannot be
     */
    void sayGoodbye(int code, String reason, Runnable said) {
        goodbye = true;
        end();
        frames.close(code, CloseReasons.fitting(reason), Callback.from(said));
    }

    /**
     * Cuts the connection to a peer that falls behind, unless it is already being closed: then it
     * accepts no more messages because of us, and the close frame is still on its way.
     */
    public void cut() {
        if (!goodbye) {
            drop();
        }
    }

    /** Cuts the connection at once, for a peer that is gone. */
    public void drop() {
        end();
        session.disconnect();
    }

    public boolean isOpen() {
        lock.lock();
        try {
            return !ended;
        } finally {
            lock.unlock();
        }
    }

    /** Accepts no more messages and releases waiting senders. */
    void end() {
        lock.lock();
        try {
            ended = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void hand(Frame frame, int size, Runnable written, Runnable unsent) {
        frames.sendFrame(
                frame,
                Callback.from(
                        () -> {
                            release(size);
                            written.run();
                        },
                        failure -> {
                            end();
                            unsent.run();
                        }),
                true);
    }

    private static void doNothing() {}

    private boolean awaitRoom(int size) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patience;
            while (!ended && onTheWay >= limit && left > 0) {
                left = room.awaitNanos(left);
            }
            if (ended || onTheWay >= limit) {
                return false;
            }
            onTheWay += size;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean takeRoom(int size) {
        lock.lock();
        try {
            if (ended || onTheWay >= limit) {
                return false;
            }
            onTheWay += size;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void release(int size) {
        lock.lock();
        try {
            onTheWay -= size;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
