package dev.skep.transport.socket;

import java.nio.ByteBuffer;
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

    /** Codes that say how a socket ended and must not be sent. */
    private static final int ABNORMAL = 1006;

    private final Session session;
    private final CoreSession frames;
    private final long limit;
    private final AtomicBoolean flushing = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private volatile boolean goodbye;
    private long onTheWay;
    private boolean ended;

    public SocketSender(Session session, long limitBytes) {
        this.session = session;
        // Below the session, since only there frames can be gathered before they are written.
        this.frames = ((WebSocketSession) session).getCoreSession();
        this.limit = limitBytes;
    }

    @Override
    public boolean send(String text) throws InterruptedException {
        return send(text, () -> {});
    }

    /**
     * The same.
     *
     * @param unsent runs if this answered true and the connection broke before it was written
     */
    public boolean send(String text, Runnable unsent) throws InterruptedException {
        int size = text.length() + OVERHEAD;
        if (!awaitRoom(size)) {
            return false;
        }
        gather(new Frame(OpCode.TEXT, text), size, unsent);
        return true;
    }

    @Override
    public boolean send(ByteBuffer bytes) throws InterruptedException {
        int size = bytes.remaining() + OVERHEAD;
        if (!awaitRoom(size)) {
            return false;
        }
        gather(new Frame(OpCode.BINARY, bytes), size);
        return true;
    }

    @Override
    public boolean sendUtf8(ByteBuffer text) throws InterruptedException {
        int size = text.remaining() + OVERHEAD;
        if (!awaitRoom(size)) {
            return false;
        }
        gather(new Frame(OpCode.TEXT, text), size);
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
        hand(new Frame(OpCode.TEXT, text), size, () -> {});
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
        if (takeRoom(OVERHEAD)) {
            gather(new Frame(OpCode.PING), OVERHEAD);
        }
    }

    void pong(ByteBuffer payload) {
        if (takeRoom(OVERHEAD)) {
            gather(new Frame(OpCode.PONG, payload), OVERHEAD);
        }
    }

    /** As the interface says; 1006, which nobody may send, cuts the connection. */
    @Override
    public void close(int code, String reason) {
        if (code == ABNORMAL) {
            cut();
        } else {
            sayGoodbye(code, reason, () -> {});
        }
    }

    /**
     * The same.
     *
     * @param said runs as soon as the goodbye is written or cannot be
     */
    void sayGoodbye(int code, String reason, Runnable said) {
        goodbye = true;
        end();
        frames.close(code, CloseReasons.fitting(reason), Callback.from(said));
    }

    /**
     * Cuts the connection to a peer that falls behind. One that is being told goodbye is not cut:
     * that it accepts no more messages is our doing, and the goodbye is still on its way.
     */
    public void cut() {
        if (!goodbye) {
            drop();
        }
    }

    /** Cuts the connection whatever was said, for a peer that is gone. */
    void drop() {
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

    /** No more is accepted, and nobody waits any longer. */
    void end() {
        lock.lock();
        try {
            ended = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void gather(Frame frame, int size) {
        gather(frame, size, () -> {});
    }

    private void gather(Frame frame, int size, Runnable unsent) {
        hand(frame, size, unsent);
        flushSoon();
    }

    private void hand(Frame frame, int size, Runnable unsent) {
        frames.sendFrame(
                frame,
                Callback.from(
                        () -> release(size),
                        failure -> {
                            end();
                            unsent.run();
                        }),
                true);
    }

    private boolean awaitRoom(int size) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!ended && onTheWay >= limit) {
                room.await();
            }
            onTheWay += size;
            return !ended;
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
