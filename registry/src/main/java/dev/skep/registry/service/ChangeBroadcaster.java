package dev.skep.registry.service;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.wire.RegistryFrames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends every change to every subscriber, in order, from the moment its {@code init} was taken.
 * Every frame is encoded once. Dashboards come first. Agents hardly listen and there are many, so
 * they are sent to a few at a time, and changes that arrive meanwhile reach the dashboards in
 * between.
 */
final class ChangeBroadcaster implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeBroadcaster.class);
    private static final int QUEUE = 10_000;
    private static final int TOGETHER = 200;

    /** Agents receive news at once, then at most this often, everything since. */
    private static final long ROUND_NANOS = 50_000_000;

    private sealed interface Item {
        record Broadcast(ByteBuffer frame, boolean dashboardsOnly) implements Item {}

        record Join(Subscriber subscriber, ByteBuffer init, CompletableFuture<Boolean> joined)
                implements Item {}

        record Leave(Subscriber subscriber) implements Item {}

        /** Wakes the thread, which then sees that it is closed. */
        record Wake() implements Item {}
    }

    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Subscribers subscribers = new Subscribers();
    private long roundAt = System.nanoTime() - ROUND_NANOS;
    private volatile boolean closed;

    @Override
    public void start() {
        Thread.ofPlatform().name("registry-announcer").daemon().start(this::run);
    }

    void announce(NodeChange change) {
        put(
                switch (change) {
                    case NodeChange.Joined joined -> news(RegistryFrames.joined(joined.node()));
                    case NodeChange.WentOffline offline ->
                            news(RegistryFrames.offline(offline.node()));
                    case NodeChange.Removed removed -> news(RegistryFrames.removed(removed.node()));
                    case NodeChange.Updated updated -> news(RegistryFrames.updated(updated.node()));
                });
    }

    void announce(Collection<NodeStats> stats) {
        put(new Item.Broadcast(utf8(RegistryFrames.statsEvent(stats)), true));
    }

    /** The subscriber receives {@code init}, then everything announced after this call. */
    void join(Subscriber subscriber, String init, CompletableFuture<Boolean> joined) {
        put(new Item.Join(subscriber, utf8(init), joined));
    }

    void leave(Subscriber subscriber) {
        put(new Item.Leave(subscriber));
    }

    private static Item news(String text) {
        return new Item.Broadcast(utf8(text), false);
    }

    private static ByteBuffer utf8(String text) {
        return StandardCharsets.UTF_8.encode(text).asReadOnlyBuffer();
    }

    private void put(Item item) {
        try {
            queue.put(item);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closed) {
            refuseWaiting();
        }
    }

    private void run() {
        List<Item> taken = new ArrayList<>();
        try {
            while (!closed) {
                Item first = next();
                if (first != null) {
                    taken.add(first);
                    queue.drainTo(taken, TOGETHER - 1);
                    taken.forEach(this::process);
                    taken.clear();
                    subscribers.sendToDashboards();
                }
                if (subscribers.isBehind() && untilNextRound() <= 0) {
                    sendToSomeAgents();
                }
            }
        } catch (InterruptedException e) {
            LOG.warn("the registry's announcer was interrupted");
        }
        refuseWaiting();
    }

    /** Waits for news as long as there is nothing else to do. */
    private @Nullable Item next() throws InterruptedException {
        if (!subscribers.isBehind()) {
            return queue.take();
        }
        return subscribers.hasRoom() ? queue.poll(untilNextRound(), TimeUnit.NANOSECONDS) : null;
    }

    private long untilNextRound() {
        boolean now = subscribers.isMidRound() || !subscribers.hasRoom();
        return now ? 0 : roundAt + ROUND_NANOS - System.nanoTime();
    }

    private void sendToSomeAgents() {
        if (!subscribers.isMidRound()) {
            roundAt = System.nanoTime();
        }
        subscribers.sendToNextAgents();
    }

    /** Called by the thread as it ends, and by callers that were too late for it. */
    private void refuseWaiting() {
        for (Item left = queue.poll(); left != null; left = queue.poll()) {
            if (left instanceof Item.Join join) {
                join.joined().complete(false);
            }
        }
    }

    private void process(Item item) {
        switch (item) {
            case Item.Broadcast(var frame, var dashboardsOnly) ->
                    subscribers.add(frame, dashboardsOnly);
            case Item.Join(var subscriber, var init, var joined) ->
                    joined.complete(subscribers.join(subscriber, init));
            case Item.Leave(var subscriber) -> subscribers.leave(subscriber);
            case Item.Wake() -> {}
        }
    }

    /** Not by an interrupt, which would break the socket that is being written to. */
    @Override
    public void close() {
        closed = true;
        // If the queue is full, the thread is awake.
        queue.offer(new Item.Wake());
    }
}
