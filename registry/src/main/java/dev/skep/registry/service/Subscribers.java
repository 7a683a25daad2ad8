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
    private final Map<Subscriber, Long> toldUpTo = new LinkedHashMap<>();
    private Iterator<Subscriber> round = List.<Subscriber>of().iterator();
    private long roundUpTo;
    private long dashboardsUpTo;
    private long last;

    void add(ByteBuffer frame, boolean dashboardsOnly) {
        kept.add(new Broadcast(++last, frame, dashboardsOnly));
    }

    /** Takes in a subscriber that needs no older news than its {@code init}. */
    boolean join(Subscriber subscriber, ByteBuffer init) {
        boolean taken = subscriber.offer(init.duplicate());
        if (taken) {
            subscriber.flush();
            toldUpTo.put(subscriber, last);
        }
        return taken;
    }

    void leave(Subscriber subscriber) {
        toldUpTo.remove(subscriber);
    }

    /** Whether somebody has not been told everything. */
    boolean isBehind() {
        return !kept.isEmpty();
    }

    /** Whether some agents have been told of what is new, and others not yet. */
    boolean isMidRound() {
        return round.hasNext();
    }

    /** Whether more news can be taken before the agents have what there is. */
    boolean hasRoom() {
        return kept.size() < MOST_KEPT;
    }

    void sendToDashboards() {
        if (dashboardsUpTo < last) {
            dashboardsUpTo = last;
            List.copyOf(toldUpTo.keySet()).stream()
                    .filter(Subscriber::isDashboard)
                    .forEach(this::tell);
        }
    }

    /** Tells the next few; what was there when a round began is forgotten after it. */
    void sendToNextAgents() {
        if (!isBehind()) {
            return;
        }
        if (!round.hasNext()) {
            round = List.copyOf(toldUpTo.keySet()).iterator();
            roundUpTo = last;
        }
        for (int i = 0; i < AT_ONCE && round.hasNext(); i++) {
            tell(round.next());
        }
        if (!round.hasNext()) {
            kept.removeIf(broadcast -> broadcast.number() <= roundUpTo);
        }
    }

    private void tell(Subscriber subscriber) {
        Long upTo = toldUpTo.get(subscriber);
        if (upTo == null || upTo == last) {
            return;
        }
        boolean dashboard = subscriber.isDashboard();
        for (Broadcast broadcast : kept) {
            boolean concerns =
                    broadcast.number() > upTo && (dashboard || !broadcast.dashboardsOnly());
            if (concerns && !subscriber.offer(broadcast.frame().duplicate())) {
                toldUpTo.remove(subscriber);
                subscriber.dropped();
                return;
            }
        }
        toldUpTo.put(subscriber, last);
        subscriber.flush();
    }
}
