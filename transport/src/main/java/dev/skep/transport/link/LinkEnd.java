package dev.skep.transport.link;

import dev.skep.wire.Frame;
import dev.skep.wire.Message.SyncError;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One end of an open link: its lanes out, and its channels in. */
final class LinkEnd<P> implements Link {
    private static final Logger LOG = LoggerFactory.getLogger(LinkEnd.class);
    private static final long TOLD_EVERY = TimeUnit.SECONDS.toNanos(1);

    private final Outbox outbox;
    private final Traffics<P> traffics;
    private final String peer;
    private final List<LinkChannel> channels;
    private final AtomicLong progressedAt = new AtomicLong(System.nanoTime());

    LinkEnd(FrameSink sink, Traffics<P> traffics, P peer, String name) {
        this.outbox = new Outbox(sink);
        this.traffics = traffics;
        this.peer = name;
        this.channels = traffics.open(peer, this);
    }

    @Override
    public boolean urgent(Frame frame) {
        return outbox.urgent(frame);
    }

    @Override
    public boolean urgent(Frame frame, Runnable unsent) {
        return outbox.urgent(frame, unsent);
    }

    @Override
    public boolean send(Frame frame) throws InterruptedException {
        return outbox.send(frame);
    }

    @Override
    public boolean stream(Frame frame) throws InterruptedException {
        return outbox.stream(frame);
    }

    @Override
    public void close(String reason) {
        outbox.close(reason);
    }

    void cut() {
        outbox.cut();
    }

    void received(Frame frame) throws InterruptedException {
        int taker = traffics.takerOf(frame);
        if (taker == Traffics.NOBODY) {
            refuse(SyncError.BAD_MESSAGE, "a message of a type nobody here takes");
        } else {
            channels.get(taker).received(frame);
        }
    }

    /** Part of a frame came or left. */
    void progressed() {
        long now = System.nanoTime();
        long last = progressedAt.get();
        if (now - last >= TOLD_EVERY && progressedAt.compareAndSet(last, now)) {
            channels.forEach(LinkChannel::progressed);
        }
    }

    /** Says what is wrong with what the peer sent, and closes. */
    void refuse(String error, String message) {
        LOG.warn("link refused peer={} error={} {}", peer, error, message);
        outbox.urgent(Frame.of(new SyncError(error, message)));
        outbox.close(error);
    }

    void closed(String reason) {
        outbox.end();
        channels.forEach(channel -> channel.closed(reason));
    }
}
