package dev.skep.dispatch.event;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One listener's queue of an org's events. Bounded: a listener that does not read falls behind, and
 * must reconnect with the last id it received.
 */
public final class Subscription implements AutoCloseable {
    private static final int WAITING = 2_000;
    private static final OrgEvent END = new OrgEvent("", "", Instant.EPOCH, Map.of());

    private final Consumer<Subscription> leave;
    private final BlockingQueue<OrgEvent> waiting = new ArrayBlockingQueue<>(WAITING);
    private final boolean reset;
    private volatile boolean behind;
    private volatile boolean ended;

    Subscription(Consumer<Subscription> leave, List<OrgEvent> missed, boolean reset) {
        this.leave = leave;
        this.reset = reset;
        waiting.addAll(missed);
    }

    /** Whether missed events are no longer stored: the client must read everything again. */
    public boolean isReset() {
        return reset;
    }

    void offer(OrgEvent event) {
        if (!waiting.offer(event)) {
            behind = true;
        }
    }

    void end() {
        ended = true;
        waiting.offer(END);
    }

    /** The next event, or null if none came in time. */
    public @Nullable OrgEvent next(Duration atMost) throws InterruptedException {
        OrgEvent event = waiting.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
        return END.equals(event) ? null : event;
    }

    /** Nothing more comes, or something was left out: the listener must reconnect. */
    public boolean isOver() {
        return behind || ended;
    }

    @Override
    public void close() {
        leave.accept(this);
    }
}
