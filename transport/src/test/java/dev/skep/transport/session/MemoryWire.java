package dev.skep.transport.session;

import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.wire.Frame;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One direction of a link in memory: frames reach the other end in order, or the test. */
final class MemoryWire implements Link {
    final BlockingQueue<Frame> sent = new LinkedBlockingQueue<>();
    final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    /** Hands every frame to the other end, from now on. */
    void leadTo(LinkProtocolHandler other) {
        Thread.ofVirtual().start(() -> pass(other));
    }

    private void pass(LinkProtocolHandler other) {
        try {
            while (true) {
                other.received(sent.take());
            }
        } catch (InterruptedException e) {
            // the test is over
        }
    }

    SessionMessage next() throws InterruptedException {
        Frame frame = Objects.requireNonNull(sent.poll(20, TimeUnit.SECONDS), "nothing was sent");
        return SessionFrameCodec.read(frame).orElseThrow().item();
    }

    @Nullable String whyClosed() throws InterruptedException {
        return closed.poll(20, TimeUnit.SECONDS);
    }

    @Override
    public boolean urgent(Frame frame) {
        return sent.add(frame);
    }

    @Override
    public boolean urgent(Frame frame, Runnable unsent) {
        return sent.add(frame);
    }

    @Override
    public boolean send(Frame frame) {
        return sent.add(frame);
    }

    @Override
    public boolean stream(Frame frame) {
        return sent.add(frame);
    }

    @Override
    public void close(String reason) {
        closed.add(reason);
    }
}
