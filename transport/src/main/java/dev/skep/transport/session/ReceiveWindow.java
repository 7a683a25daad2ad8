package dev.skep.transport.session;

import dev.skep.transport.session.SessionMessage.Close;
import dev.skep.transport.session.SessionMessage.Part;
import dev.skep.transport.socket.MessageAssembler;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import dev.skep.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What arrived for one session: parts wait here, within the window, until they are put together and
 * the receiver has taken the message. Parts are added by the link's thread and delivered by one of
 * the session.
 */
final class ReceiveWindow {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiveWindow.class);
    private static final int TOO_LARGE = 1009;
    private static final int SERVER_ERROR = 1011;
    private static final Close CUT = new Close(1006, "");

    /** Credit is given back in lumps. */
    private static final int LUMP = LinkSession.WINDOW / 4;

    private final MessageReceiver receiver;
    private final Grant grant;
    private final Deque<Part> parts = new ArrayDeque<>(4);
    private final MessageAssembler message = new MessageAssembler(WireLimits.MESSAGE);
    private int taken;
    private long unpaid;
    private @Nullable Close end;

    /** Allows the peer to send more. */
    interface Grant {
        void give(int bytes) throws InterruptedException;
    }

    ReceiveWindow(MessageReceiver receiver, Grant grant) {
        this.receiver = receiver;
        this.grant = grant;
    }

    /** False if it is more than the window. */
    synchronized boolean add(Part part) {
        if (end == null) {
            unpaid += part.cost();
            parts.add(part);
            notifyAll();
        }
        return unpaid <= LinkSession.WINDOW;
    }

    /** Nothing more comes; the receiver still gets what is here. */
    synchronized void closeWhenDrained(Close close) {
        if (end == null) {
            end = close;
            notifyAll();
        }
    }

    /** Ends at once; unread parts are dropped. */
    synchronized void closeNow(Close close) {
        parts.clear();
        closeWhenDrained(close);
    }

    /** Hands everything to the receiver, from the first call to the last. */
    void deliver(MessageSender back) {
        Close last = CUT;
        try {
            receiver.opened(back);
            for (Part part = next(); part != null; part = next()) {
                deliver(part, back);
            }
            last = ending();
        } catch (InterruptedException e) {
            last = ending();
        } catch (RuntimeException failure) {
            LOG.error("a session's receiver failed", failure);
            back.close(SERVER_ERROR, "unexpected failure");
            last = ending();
        } finally {
            receiver.closed(last.code(), last.reason());
        }
    }

    private void deliver(Part part, MessageSender back) throws InterruptedException {
        int cost = part.cost();
        message.begin(part.text());
        if (!message.fits(part.bytes())) {
            back.close(TOO_LARGE, "a message may have %,d bytes".formatted(WireLimits.MESSAGE));
            return;
        }
        if (part.last()) {
            ByteBuffer whole = message.whole(part.bytes());
            if (part.text()) {
                receiver.text(whole);
            } else {
                receiver.binary(whole);
            }
        } else {
            message.add(part.bytes());
        }
        returnCredit(cost);
    }

    private void returnCredit(int cost) throws InterruptedException {
        taken += cost;
        if (taken >= LUMP) {
            int lump = taken;
            taken = 0;
            synchronized (this) {
                unpaid -= lump;
            }
            grant.give(lump);
        }
    }

    private synchronized @Nullable Part next() throws InterruptedException {
        while (parts.isEmpty() && end == null) {
            wait();
        }
        return parts.poll();
    }

    private synchronized Close ending() {
        return end == null ? CUT : end;
    }
}
