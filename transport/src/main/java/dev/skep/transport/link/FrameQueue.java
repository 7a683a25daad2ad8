package dev.skep.transport.link;

import dev.skep.wire.Frame;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Frames that wait their turn. There is room while less than the limit waits, whatever the size of
 * the next frame, so that large frames are not kept out by small ones. Not thread-safe.
 */
final class FrameQueue {
    private final long limit;
    private final Deque<Frame> frames = new ArrayDeque<>(2);
    private long bytes;

    FrameQueue(long limitBytes) {
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
