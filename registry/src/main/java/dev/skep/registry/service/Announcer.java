package dev.skep.registry.service;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.registry.node.Change;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.wire.Frames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tells every subscriber every change, in order, from the moment its {@code init} was taken. What
 * has piled up goes to all dashboards first, then to each agent at once: agents hardly listen, and
 * there are many.
 */
final class Announcer implements Component {
    private static final int QUEUE = 10_000;
    private static final int TOGETHER = 200;

    private sealed interface Item {
        record Frame(String text, boolean dashboardsOnly) implements Item {}

        record Join(Subscriber subscriber, String init, CompletableFuture<Boolean> told)
                implements Item {}

        record Leave(Subscriber subscriber) implements Item {}
    }

    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Set<Subscriber> subscribers = new LinkedHashSet<>();
    private volatile boolean closed;
    private @Nullable Thread thread;

    @Override
    public void start() {
        thread = Thread.ofPlatform().name("registry-announcer").daemon().start(this::run);
    }

    void announce(Change change) {
        put(
                switch (change) {
                    case Change.Joined joined -> frame(Frames.joined(joined.node()));
                    case Change.WentOffline offline -> frame(Frames.offline(offline.node()));
                    case Change.Removed removed -> frame(Frames.removed(removed.node()));
                    case Change.Updated updated -> frame(Frames.updated(updated.node()));
                });
    }

    void announce(Collection<NodeStats> stats) {
        put(new Item.Frame(Frames.statsEvent(stats), true));
    }

    /** The subscriber hears {@code init}, then everything announced after this call. */
    void join(Subscriber subscriber, String init, CompletableFuture<Boolean> told) {
        if (closed) {
            told.complete(false);
        } else {
            put(new Item.Join(subscriber, init, told));
        }
    }

    void leave(Subscriber subscriber) {
        put(new Item.Leave(subscriber));
    }

    private static Item frame(String text) {
        return new Item.Frame(text, false);
    }

    private void put(Item item) {
        if (closed) {
            return;
        }
        try {
            queue.put(item);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        List<Item> taken = new ArrayList<>();
        List<Item.Frame> frames = new ArrayList<>();
        try {
            while (true) {
                taken.add(queue.take());
                queue.drainTo(taken, TOGETHER - 1);
                for (Item item : taken) {
                    if (item instanceof Item.Frame frame) {
                        frames.add(frame);
                    } else {
                        send(frames);
                        change(item);
                    }
                }
                send(frames);
                taken.clear();
            }
        } catch (InterruptedException e) {
            taken.clear();
            queue.drainTo(taken);
            taken.forEach(Announcer::tellNobodyIsLeft);
        }
    }

    private static void tellNobodyIsLeft(Item item) {
        if (item instanceof Item.Join join) {
            join.told().complete(false);
        }
    }

    private void change(Item item) {
        switch (item) {
            case Item.Join(var subscriber, var init, var told) -> {
                boolean taken = subscriber.offer(init);
                if (taken) {
                    subscribers.add(subscriber);
                }
                told.complete(taken);
            }
            case Item.Leave(var subscriber) -> subscribers.remove(subscriber);
            case Item.Frame _ -> throw new IllegalStateException("a frame changes nobody");
        }
    }

    private void send(List<Item.Frame> frames) {
        if (frames.isEmpty()) {
            return;
        }
        List<Subscriber> agents = new ArrayList<>();
        for (Subscriber subscriber : List.copyOf(subscribers)) {
            if (subscriber.isDashboard()) {
                send(subscriber, frames, true);
            } else {
                agents.add(subscriber);
            }
        }
        agents.forEach(agent -> send(agent, frames, false));
        frames.clear();
    }

    private void send(Subscriber subscriber, List<Item.Frame> frames, boolean dashboard) {
        for (Item.Frame frame : frames) {
            if ((dashboard || !frame.dashboardsOnly()) && !subscriber.offer(frame.text())) {
                subscribers.remove(subscriber);
                subscriber.fallBehind();
                return;
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
