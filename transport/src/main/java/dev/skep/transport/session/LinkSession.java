package dev.skep.transport.session;

import dev.skep.transport.link.Link;
import dev.skep.transport.session.SessionMessage.Close;
import dev.skep.transport.session.SessionMessage.Credit;
import dev.skep.transport.session.SessionMessage.Part;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of one session. Sending waits for credit; what arrives waits, within the window, for a
 * virtual thread that hands it to the receiver. Thread-safe.
 */
final class LinkSession implements MessageSender {
    /** The most that one direction may have on the way and unread, in bytes. */
    static final int WINDOW = 1 << 20;

    /** A receiver that does not take the rest within this is interrupted. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int PART = 32 << 10;

    private final int number;
    private final Link link;
    private final ReceiveWindow receiveWindow;
    private final Runnable onEnd;
    private final ReentrantLock sending = new ReentrantLock();
    private long credit = WINDOW;
    private @Nullable Close end;
    private @Nullable Thread delivering;

    LinkSession(int number, Link link, MessageReceiver receiver, Runnable onEnd) {
        this.number = number;
        this.link = link;
        this.receiveWindow = new ReceiveWindow(receiver, this::grant);
        this.onEnd = onEnd;
    }

    /** Starts handing over what arrives. */
    synchronized void start() {
        delivering = Thread.ofVirtual().name("session-" + number).start(this::deliver);
    }

    private void deliver() {
        receiveWindow.deliver(this);
        onEnd.run();
    }

    @Override
    public boolean send(String text) throws InterruptedException {
        return send(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean sendUtf8(ByteBuffer text) throws InterruptedException {
        return send(true, text.duplicate());
    }

    @Override
    public boolean send(ByteBuffer bytes) throws InterruptedException {
        return send(false, bytes.duplicate());
    }

    private boolean send(boolean text, ByteBuffer rest) throws InterruptedException {
        sending.lockInterruptibly();
        try {
            boolean last;
            do {
                int size = Math.min(PART, rest.remaining());
                last = size == rest.remaining();
                Part part = new Part(text, last, rest.slice(rest.position(), size));
                rest.position(rest.position() + size);
                if (!takeCredit(part.cost()) || !say(part)) {
                    return false;
                }
            } while (!last);
            return true;
        } finally {
            sending.unlock();
        }
    }

    private synchronized boolean takeCredit(int cost) throws InterruptedException {
        while (end == null && credit < cost) {
            wait();
        }
        credit -= cost;
        return end == null;
    }

    private void grant(int bytes) throws InterruptedException {
        say(new Credit(bytes));
    }

    private boolean say(SessionMessage sessionMessage) throws InterruptedException {
        return link.stream(SessionFrameCodec.frame(number, sessionMessage));
    }

    /** Opens the session at the other end; false if the link is closed. */
    boolean open(String target) throws InterruptedException {
        return say(new SessionMessage.Open(target));
    }

    /** Takes what the peer sent, never waiting; false if the peer breaks the rules. */
    boolean received(SessionMessage sessionMessage) {
        return switch (sessionMessage) {
            case Part part -> receiveWindow.add(part);
            case Credit(int bytes) -> credited(bytes);
            case Close close -> {
                if (ends(close)) {
                    receiveWindow.closeWhenDrained(close);
                }
                yield true;
            }
            case SessionMessage.Open _ -> false;
        };
    }

    private synchronized boolean credited(int bytes) {
        credit += bytes;
        notifyAll();
        return bytes > 0 && credit <= WINDOW;
    }

    /** As the interface says. Messages that arrived and were not handed over are dropped. */
    @Override
    public void close(int code, String reason) {
        Close close = new Close(code, reason);
        if (ends(close)) {
            receiveWindow.closeNow(close);
            Thread.ofVirtual().name("session-goodbye").start(() -> sayGoodbye(close));
        }
    }

    private void sayGoodbye(Close close) {
        try {
            say(close);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized boolean ends(Close close) {
        if (end != null) {
            return false;
        }
        end = close;
        notifyAll();
        Thread running = delivering;
        if (running != null) {
            Thread.ofVirtual().name("session-patience").start(() -> hurry(running));
        }
        return true;
    }

    /** Interrupts a receiver that waits for a consumer that does not read. */
    private static void hurry(Thread running) {
        try {
            if (!running.join(PATIENCE)) {
                running.interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
