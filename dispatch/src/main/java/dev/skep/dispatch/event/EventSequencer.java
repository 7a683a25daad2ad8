package dev.skep.dispatch.event;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers events after the commit that stored them: one process at a time, so that all processes
 * send them in one order, and each once. The events of a process that died are numbered by another.
 */
final class EventSequencer {
    private static final int AT_ONCE = 200;

    private final Database database;
    private final EventRowStore rows;
    private final EventRecipients eventRecipients;

    EventSequencer(Database database, EventRowStore rows, EventRecipients eventRecipients) {
        this.database = database;
        this.rows = rows;
        this.eventRecipients = eventRecipients;
    }

    /** Places whatever has none. */
    void place() {
        while (database.read(rows::isAnyWithoutPlace) && database.write(this::some) == AT_ONCE) {
            // there may be more
        }
    }

    private int some(Transaction transaction) {
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            // Places that a power cut takes are given again, and no message is sent before a commit
            // that waits for the disk; claims should not wait for this one.
            transaction.update("SET LOCAL synchronous_commit TO OFF");
        }
        rows.lockPlaces(transaction);
        List<EventRowStore.EventRow> next = rows.withoutPlace(transaction, AT_ONCE);
        Map<OrgId, List<EventRowStore.EventRow>> byOrg = new LinkedHashMap<>();
        next.forEach(row -> byOrg.computeIfAbsent(row.org(), o -> new ArrayList<>()).add(row));
        byOrg.forEach((org, all) -> place(transaction, org, all));
        if (!next.isEmpty() && transaction.dialect() == SqlDialect.POSTGRES) {
            transaction.first("SELECT pg_notify(?, '')", row -> true, StoredEvents.CHANNEL);
        }
        return next.size();
    }

    private void place(Transaction transaction, OrgId org, List<EventRowStore.EventRow> all) {
        long count = all.stream().mapToLong(EventRowStore.EventRow::count).sum();
        long last = rows.take(transaction, org, count);
        long pos = last - count;
        List<EventRowStore.SequencedEventRow> sequencedEventRow = new ArrayList<>();
        for (EventRowStore.EventRow row : all) {
            pos += row.count();
            sequencedEventRow.add(new EventRowStore.SequencedEventRow(row, pos));
        }
        rows.place(transaction, sequencedEventRow);
        rows.forget(transaction, org, last - OrgEvents.KEPT);
        eventRecipients.placed(
                transaction,
                org,
                () -> all.stream().flatMap(row -> row.events().stream()).toList());
    }
}
