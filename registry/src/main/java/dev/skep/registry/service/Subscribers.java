package dev.skep.registry.service;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The subscribers, and how far each has been notified. Changes are numbered and kept until the last
 * agent has them; a subscriber that turns from dashboard into agent continues at its position. Used
 * by the announcer's thread.
 */
final class Subscribers {
    private static final int AT_ONCE = 64;
    private static final int MOST_KEPT = 2_000;

    private record Broadcast(long number, ByteBuffer frame, boolean dashboardsOnly) {}

    private final Deque<Broadcast> kept = new ArrayDeque<>();
    private final Map<Subscriber, Long> sentUpTo = new LinkedHashMap<>();
    private Iterator<Subscriber> round = List.<Subscriber>of().iterator();
    private long roundUpTo;
    private long dashboardsUpTo;
    private long last;

    void add(ByteBuffer frame, boolean dashboardsOnly) {
        kept.add(new Broadcast(++last, frame, dashboardsOnly));
    }

    /** Adds a subscriber that needs no older news than its {@code init}. */
    boolean join(Subscriber subscriber, ByteBuffer init) {
        boolean taken = subscriber.offer(init.duplicate());
        if (taken) {
            subscriber.flush();
            sentUpTo.put(subscriber, last);
        }
        return taken;
    }

    void leave(Subscriber subscriber) {
        sentUpTo.remove(subscriber);
    }

    /** Whether a subscriber still lacks some news. */
    boolean isBehind() {
        return !kept.isEmpty();
    }

    /** Whether some agents have received the latest news and others not yet. */
    boolean isMidRound() {
        return round.hasNext();
    }

    /** Whether more news can be added before the agents have received what there is. */
    boolean hasRoom() {
        return kept.size() < MOST_KEPT;
    }

    void sendToDashboards() {
        if (dashboardsUpTo < last) {
            dashboardsUpTo = last;
            List.copyOf(sentUpTo.keySet()).stream()
                    .filter(Subscriber::isDashboard)
                    .forEach(this::send);
        }
    }

    /** Sends to the next few; news from before a round is dropped after it. */
    void sendToNextAgents() {
        if (!isBehind()) {
            return;
        }
        if (!round.hasNext()) {
            round = List.copyOf(sentUpTo.keySet()).iterator();
            roundUpTo = last;
        }
        for (int i = 0; i < AT_ONCE && round.hasNext(); i++) {
            send(round.next());
        }
        if (!round.hasNext()) {
            kept.removeIf(broadcast -> broadcast.number() <= roundUpTo);
        }
    }

    private void send(Subscriber subscriber) {
        Long upTo = sentUpTo.get(subscriber);
        if (upTo == null || upTo == last) {
            return;
        }
        boolean dashboard = subscriber.isDashboard();
        for (Broadcast broadcast : kept) {
            boolean concerns =
                    broadcast.number() > upTo && (dashboard || !broadcast.dashboardsOnly());
            if (concerns && !subscriber.offer(broadcast.frame().duplicate())) {
                sentUpTo.remove(subscriber);
                subscriber.dropped();
                return;
            }
        }
        sentUpTo.put(subscriber, last);
        subscriber.flush();
    }
}
