package dev.skep.dispatch.event;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Events in the memory of the one process that a database has: no commit pays for them, and none is
 * known after a restart. Thread-safe.
 */
public final class EventBuffer implements OrgEvents {
    private final String process;
    private final ConcurrentMap<OrgId, Stream> streams = new ConcurrentHashMap<>();

    public EventBuffer(InstantSource clock) {
        this.process = Long.toString(clock.millis(), 36);
    }

    /** Receives everything that happens in this process; must be subscribed to its events. */
    public void onEvent(FleetEvent event) {
        EventDraft.of(event)
                .ifPresent(
                        eventDraft ->
                                streams.computeIfAbsent(event.org(), org -> new Stream())
                                        .add(eventDraft));
    }

    @Override
    public Subscription subscribe(OrgId org, Optional<String> after) {
        return streams.computeIfAbsent(org, o -> new Stream()).subscribe(after);
    }

    @Override
    public void close() {
        streams.values().forEach(Stream::end);
    }

    private final class Stream {
        private final Deque<OrgEvent> latest = new ArrayDeque<>();
        private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
        private long count;

        synchronized void add(EventDraft eventDraft) {
            count++;
            OrgEvent event = eventDraft.toEvent(process + "-" + count);
            latest.addLast(event);
            if (latest.size() > KEPT) {
                latest.removeFirst();
            }
            subscriptions.forEach(subscription -> subscription.offer(event));
        }

        synchronized Subscription subscribe(Optional<String> after) {
            List<OrgEvent> missed = new ArrayList<>();
            boolean known = true;
            if (after.isPresent()) {
                long from = numberOf(after.get());
                long oldest = count - latest.size();
                known = from >= oldest && from <= count;
                latest.stream().filter(e -> numberOf(e.id()) > from).forEach(missed::add);
            }
            Subscription subscription =
                    new Subscription(subscriptions::remove, known ? missed : List.of(), !known);
            subscriptions.add(subscription);
            return subscription;
        }

        synchronized void end() {
            subscriptions.forEach(Subscription::end);
        }

        private long numberOf(String id) {
            String prefix = process + "-";
            try {
                return id.startsWith(prefix) ? Long.parseLong(id.substring(prefix.length())) : -1;
            } catch (NumberFormatException e) {
                return -1;
            }
        }
    }
}
