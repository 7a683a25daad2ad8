package dev.skep.dispatch.event;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The tables {@code org_events} and {@code event_places}. */
final class EventRowStore {
    private static final String COLUMNS = "id, org_id, kind, at, count, told, pos";

    private static final String INSERT =
            """
            INSERT INTO org_events (id, org_id, noted_at, kind, at, count, told)
            VALUES (?, ?, %s, ?, ?, ?, ?)""";

    /** The server's own clock: it is the same for all who write. */
    private static final String INSERT_ON_SERVER =
            INSERT.formatted("CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)");

    private static final String INSERT_IN_FILE = INSERT.formatted("?");

    private final InstantSource clock;
    private final AtomicLong lastNoted = new AtomicLong();

    EventRowStore(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Facts that stand in one row.
     *
     * @param kind as it is stored: a process of a later version may know more
     */
    record EventRow(String id, OrgId org, String kind, Instant at, String lines, long count) {
        /** Each with an id made of the row's id and the event's index in the row. */
        List<OrgEvent> events() {
            return EventKind.of(kind).map(this::events).orElse(List.of());
        }

        private List<OrgEvent> events(EventKind kind) {
            List<OrgEvent> events = new ArrayList<>();
            for (String line : lines.split("\n", -1)) {
                events.add(EventDraft.read(org, kind, at, line).toEvent(id + "-" + events.size()));
            }
            return events;
        }
    }

    /** A row that has its place. */
    record SequencedEventRow(EventRow row, long pos) {}

    void note(Transaction transaction, String id, List<EventDraft> alike) {
        EventDraft first = alike.getFirst();
        String org = first.org().value();
        String kind = first.kind().label();
        String lines = String.join("\n", alike.stream().map(EventDraft::line).toList());
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            transaction.update(INSERT_ON_SERVER, id, org, kind, first.at(), alike.size(), lines);
        } else {
            transaction.update(
                    INSERT_IN_FILE, id, org, nextNoted(), kind, first.at(), alike.size(), lines);
        }
    }

    private long nextNoted() {
        long now = clock.millis() * 1_000;
        return lastNoted.updateAndGet(last -> Math.max(last + 1, now));
    }

    /** Until the commit no other process assigns places. */
    void lockPlaces(Transaction transaction) {
        transaction.update("UPDATE event_places SET pos = pos + 1 WHERE org_id = ''");
    }

    boolean isAnyWithoutPlace(Snapshot snapshot) {
        return snapshot.first("SELECT 1 FROM org_events WHERE pos IS NULL LIMIT 1", row -> true)
                .isPresent();
    }

    /** Those without a place, the oldest first. */
    List<EventRow> withoutPlace(Snapshot snapshot, int limit) {
        return snapshot.list(
                """
                SELECT %s FROM org_events WHERE pos IS NULL ORDER BY noted_at, id LIMIT ?"""
                        .formatted(COLUMNS),
                EventRowStore::noted,
                limit);
    }

    /** Takes the org's next places, and returns the last of them. */
    long take(Transaction transaction, OrgId org, long count) {
        return transaction
                .first(
                        """
                        INSERT INTO event_places (org_id, pos) VALUES (?, ?)
                        ON CONFLICT (org_id) DO UPDATE SET pos = event_places.pos + excluded.pos
                        RETURNING pos""",
                        row -> row.number("pos"),
                        org.value(),
                        count)
                .orElseThrow();
    }

    void place(Transaction transaction, List<SequencedEventRow> sequencedEventRow) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        sequencedEventRow.forEach(
                each -> rows.add(new @Nullable Object[] {each.pos(), each.row().id()}));
        transaction.updateAll("UPDATE org_events SET pos = ? WHERE id = ?", rows);
    }

    /** Deletes the events up to a place. */
    void forget(Transaction transaction, OrgId org, long upTo) {
        transaction.update(
                "DELETE FROM org_events WHERE org_id = ? AND pos IS NOT NULL AND pos <= ?",
                org.value(),
                upTo);
    }

    /** The last place that was given. */
    long last(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                        "SELECT pos FROM event_places WHERE org_id = ?",
                        row -> row.number("pos"),
                        org.value())
                .orElse(0L);
    }

    /** The row that an event's id begins with, and its place; empty if it is none of the org's. */
    Optional<SequencedEventRow> find(Snapshot snapshot, OrgId org, String id) {
        return snapshot.first(
                "SELECT %s FROM org_events WHERE org_id = ? AND id = ? AND pos IS NOT NULL"
                        .formatted(COLUMNS),
                EventRowStore::placed,
                org.value(),
                id);
    }

    List<SequencedEventRow> after(Snapshot snapshot, OrgId org, long pos, int limit) {
        return snapshot.list(
                """
                SELECT %s FROM org_events WHERE org_id = ? AND pos IS NOT NULL AND pos > ?
                ORDER BY pos LIMIT ?"""
                        .formatted(COLUMNS),
                EventRowStore::placed,
                org.value(),
                pos,
                limit);
    }

    private static SequencedEventRow placed(ResultRow row) {
        return new SequencedEventRow(noted(row), row.number("pos"));
    }

    private static EventRow noted(ResultRow row) {
        return new EventRow(
                row.text("id"),
                new OrgId(row.text("org_id")),
                row.text("kind"),
                row.time("at"),
                row.text("told"),
                row.number("count"));
    }
}
