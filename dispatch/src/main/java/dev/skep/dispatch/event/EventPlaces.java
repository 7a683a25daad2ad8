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
 * Gives events their place after the commit that noted them: one process at a time, so that all
 * tell them in one order, and each once. What a process left that died, another one places.
 */
final class EventPlaces {
    private static final int AT_ONCE = 200;

    private final Database database;
    private final EventRowStore rows;
    private final EventAudience audience;

    EventPlaces(Database database, EventRowStore rows, EventAudience audience) {
        this.database = database;
        this.rows = rows;
        this.audience = audience;
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
        List<EventRowStore.Noted> next = rows.withoutPlace(transaction, AT_ONCE);
        Map<OrgId, List<EventRowStore.Noted>> byOrg = new LinkedHashMap<>();
        next.forEach(row -> byOrg.computeIfAbsent(row.org(), o -> new ArrayList<>()).add(row));
        byOrg.forEach((org, all) -> place(transaction, org, all));
        if (!next.isEmpty() && transaction.dialect() == SqlDialect.POSTGRES) {
            transaction.first("SELECT pg_notify(?, '')", row -> true, StoredEvents.CHANNEL);
        }
        return next.size();
    }

    private void place(Transaction transaction, OrgId org, List<EventRowStore.Noted> all) {
        long count = all.stream().mapToLong(EventRowStore.Noted::count).sum();
        long last = rows.take(transaction, org, count);
        long pos = last - count;
        List<EventRowStore.Placed> placed = new ArrayList<>();
        for (EventRowStore.Noted row : all) {
            pos += row.count();
            placed.add(new EventRowStore.Placed(row, pos));
        }
        rows.place(transaction, placed);
        rows.forget(transaction, org, last - OrgEvents.KEPT);
        audience.placed(
                transaction,
                org,
                () -> all.stream().flatMap(row -> row.events().stream()).toList());
    }
}
