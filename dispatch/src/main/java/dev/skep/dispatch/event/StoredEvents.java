package dev.skep.dispatch.event;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Events as all processes of a database send them: read from its rows, for orgs that have a
 * listener. Thread-safe.
 */
final class StoredEvents implements OrgEvents {
    /** The PostgreSQL channel that announces newly placed events. */
    static final String CHANNEL = "skep_events";

    private static final int PAGE = 100;

    private final Database database;
    private final EventRowStore rows;
    private final ConcurrentMap<OrgId, Stream> streams = new ConcurrentHashMap<>();

    StoredEvents(Database database, EventRowStore rows) {
        this.database = database;
        this.rows = rows;
    }

    @Override
    public Subscription subscribe(OrgId org, Optional<String> after) {
        Stream stream = streams.computeIfAbsent(org, Stream::new);
        return stream.subscribe(after);
    }

    /** Sends the new events to all listeners. */
    void read() {
        streams.values().forEach(Stream::read);
    }

    @Override
    public void close() {
        streams.values().forEach(Stream::end);
    }

    /** The listeners of one org, and how far they have read. */
    private final class Stream {
        private final OrgId org;
        private final List<Subscription> subscriptions = new ArrayList<>();
        private long pos;

        Stream(OrgId org) {
            this.org = org;
        }

        synchronized Subscription subscribe(Optional<String> after) {
            // Looked for first: what is known of it now is within what is read next.
            Optional<EventRowStore.SequencedEventRow> lastReceived = after.flatMap(this::find);
            if (subscriptions.isEmpty()) {
                pos = database.read(snapshot -> rows.last(snapshot, org));
            } else {
                read();
            }
            List<OrgEvent> missed =
                    lastReceived
                            .map(row -> database.read(s -> following(s, row, after.orElseThrow())))
                            .orElse(List.of());
            Subscription subscription =
                    new Subscription(
                            this::leave, missed, after.isPresent() && lastReceived.isEmpty());
            subscriptions.add(subscription);
            return subscription;
        }

        /** The row that an event's id begins with. */
        private Optional<EventRowStore.SequencedEventRow> find(String id) {
            int dash = id.lastIndexOf('-');
            return dash < 0
                    ? Optional.empty()
                    : database.read(s -> rows.find(s, org, id.substring(0, dash)));
        }

        /** What followed an event, up to what the listeners here have received. */
        private List<OrgEvent> following(
                Snapshot snapshot, EventRowStore.SequencedEventRow lastReceived, String id) {
            List<OrgEvent> missed = new ArrayList<>();
            List<OrgEvent> beside = lastReceived.row().events();
            int index = beside.stream().map(OrgEvent::id).toList().indexOf(id);
            missed.addAll(beside.subList(index + 1, beside.size()));
            long from = lastReceived.pos();
            while (from < pos) {
                List<EventRowStore.SequencedEventRow> page = rows.after(snapshot, org, from, PAGE);
                if (page.isEmpty()) {
                    break;
                }
                for (EventRowStore.SequencedEventRow row : page) {
                    if (row.pos() <= pos) {
                        missed.addAll(row.row().events());
                    }
                }
                from = page.getLast().pos();
            }
            return missed;
        }

        private synchronized void leave(Subscription subscription) {
            subscriptions.remove(subscription);
        }

        synchronized void read() {
            if (subscriptions.isEmpty()) {
                return;
            }
            List<EventRowStore.SequencedEventRow> page;
            do {
                page = database.read(snapshot -> rows.after(snapshot, org, pos, PAGE));
                for (EventRowStore.SequencedEventRow row : page) {
                    if (row.pos() - row.row().count() > pos) {
                        // What is between was purged: the listeners reconnect and receive a reset.
                        end();
                        return;
                    }
                    row.row().events().forEach(e -> subscriptions.forEach(s -> s.offer(e)));
                    pos = row.pos();
                }
            } while (page.size() == PAGE);
        }

        synchronized void end() {
            subscriptions.forEach(Subscription::end);
        }
    }
}
