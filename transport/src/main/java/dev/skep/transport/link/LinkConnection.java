package dev.skep.transport.link;

import dev.skep.wire.Frame;
import dev.skep.wire.Message.SyncError;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One end of an open link: its lanes out, and its channels in. */
final class LinkConnection<P> implements Link {
    private static final Logger LOG = LoggerFactory.getLogger(LinkConnection.class);
    private static final long TOLD_EVERY = TimeUnit.SECONDS.toNanos(1);

    private final OutgoingFrames outgoingFrames;
    private final LinkProtocols<P> linkProtocols;
    private final String peer;
    private final List<LinkProtocolHandler> linkProtocolHandlers;
    private final AtomicLong progressedAt = new AtomicLong(System.nanoTime());

    LinkConnection(FrameSink sink, LinkProtocols<P> linkProtocols, P peer, String name) {
        this.outgoingFrames = new OutgoingFrames(sink);
        this.linkProtocols = linkProtocols;
        this.peer = name;
        this.linkProtocolHandlers = linkProtocols.open(peer, this);
    }

    @Override
    public boolean urgent(Frame frame) {
        return outgoingFrames.urgent(frame);
    }

    @Override
    public boolean urgent(Frame frame, Runnable unsent) {
        return outgoingFrames.urgent(frame, unsent);
    }

    @Override
    public boolean send(Frame frame) throws InterruptedException {
        return outgoingFrames.send(frame);
    }

    @Override
    public boolean stream(Frame frame) throws InterruptedException {
        return outgoingFrames.stream(frame);
    }

    @Override
    public void close(String reason) {
        outgoingFrames.close(reason);
    }

    void cut() {
        outgoingFrames.cut();
    }

    void received(Frame frame) throws InterruptedException {
        int taker = linkProtocols.protocolFor(frame);
        if (taker == LinkProtocols.NOBODY) {
            refuse(SyncError.BAD_MESSAGE, "a message of a type nobody here takes");
        } else {
            linkProtocolHandlers.get(taker).received(frame);
        }
    }

    /** Part of a frame came or left. */
    void progressed() {
        long now = System.nanoTime();
        long last = progressedAt.get();
        if (now - last >= TOLD_EVERY && progressedAt.compareAndSet(last, now)) {
            linkProtocolHandlers.forEach(LinkProtocolHandler::progressed);
        }
    }

    /** Says what is wrong with what the peer sent, and closes. */
    void refuse(String error, String message) {
        LOG.warn("link refused peer={} error={} {}", peer, error, message);
        outgoingFrames.urgent(Frame.of(new SyncError(error, message)));
        outgoingFrames.close(error);
    }

    void closed(String reason) {
        outgoingFrames.end();
        linkProtocolHandlers.forEach(linkProtocolHandler -> linkProtocolHandler.closed(reason));
    }
}
