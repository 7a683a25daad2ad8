package dev.skep.transport.session;

import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.session.SessionFrameCodec.Addressed;
import dev.skep.transport.session.SessionMessage.Close;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import dev.skep.wire.Frame;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** The sessions of one link, at one end. Thread-safe. */
final class LinkSessions implements LinkProtocolHandler {
    /** More at once than people and their dashboards have. */
    static final int MOST = 256;

    private static final int TRY_LATER = 1013;
    private static final Close CUT = new Close(1006, "");

    private final Link link;
    private final Function<String, Optional<MessageReceiver>> receivers;
    private final Map<Integer, LinkSession> sessions = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private volatile boolean closed;

    /** Sessions that the peer opens go to the receiver of their target, if there is one. */
    LinkSessions(Link link, Function<String, Optional<MessageReceiver>> receivers) {
        this.link = link;
        this.receivers = receivers;
    }

    boolean isFull() {
        return sessions.size() >= MOST;
    }

    /** Opens a session at the other end; empty if the link is gone. */
    Optional<MessageSender> open(String target, MessageReceiver receiver)
            throws InterruptedException {
        int number = numbers.incrementAndGet();
        LinkSession session = session(number, receiver);
        if (!session.open(target) || closed) {
            sessions.remove(number);
            return Optional.empty();
        }
        session.start();
        return Optional.of(session);
    }

    private LinkSession session(int number, MessageReceiver receiver) {
        LinkSession session =
                new LinkSession(number, link, receiver, () -> sessions.remove(number));
        sessions.put(number, session);
        return session;
    }

    @Override
    public void received(Frame frame) {
        boolean fine =
                SessionFrameCodec.read(frame)
                        .filter(addressed -> received(addressed.session(), addressed))
                        .isPresent();
        if (!fine) {
            link.close("a session broke the rules");
        }
    }

    private boolean received(int number, Addressed addressed) {
        if (addressed.item() instanceof SessionMessage.Open(String target)) {
            return opened(number, target);
        }
        LinkSession session = sessions.get(number);
        // It ended here, and the peer may not know yet.
        return session == null || session.received(addressed.item());
    }

    private boolean opened(int number, String target) {
        Optional<MessageReceiver> receiver = receivers.apply(target);
        if (receiver.isEmpty() || sessions.containsKey(number)) {
            return false;
        }
        if (isFull()) {
            new LinkSession(number, link, receiver.get(), () -> {})
                    .close(TRY_LATER, "too many sessions on one link");
        } else {
            session(number, receiver.get()).start();
        }
        return true;
    }

    @Override
    public void closed(String reason) {
        closed = true;
        sessions.values().forEach(session -> session.received(CUT));
    }
}
