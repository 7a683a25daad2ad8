package dev.skep.dispatch.event;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One listener's share of an org's events. Bounded: one that does not read is behind, and must come
 * back with the last id it heard.
 */
public final class Subscription implements AutoCloseable {
    private static final int WAITING = 2_000;

    private final Consumer<Subscription> end;
    private final BlockingQueue<OrgEvent> waiting = new ArrayBlockingQueue<>(WAITING);
    private final boolean reset;
    private volatile boolean behind;

    Subscription(Consumer<Subscription> end, List<OrgEvent> missed, boolean reset) {
        this.end = end;
        this.reset = reset;
        waiting.addAll(missed);
    }

    /** Whether what was missed is no longer known: everything is to be read again. */
    public boolean isReset() {
        return reset;
    }

    void offer(OrgEvent event) {
        if (!waiting.offer(event)) {
            behind = true;
        }
    }

    /** The next event, or null if none came in time. */
    public @Nullable OrgEvent next(Duration atMost) throws InterruptedException {
        return waiting.poll(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Events were left out; whoever listens must start again. */
    public boolean isBehind() {
        return behind;
    }

    @Override
    public void close() {
        end.accept(this);
    }
}
