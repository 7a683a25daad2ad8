package dev.skep.store.feed;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores other hosts' rows: only what is newer, only from its owner. A row that is not newer
 * changes nothing, not even its place in the feed, so a repeated page is forwarded no further.
 */
public final class ReplicaWriter {
    private static final int CHUNK = 100;

    private final SyncTables tables;
    private final FeedClock clock;
    private final boolean forwards;

    private ReplicaWriter(SyncTables tables, FeedClock clock, boolean forwards) {
        this.tables = tables;
        this.clock = clock;
        this.forwards = forwards;
    }

    /** On a hub: rows of forwarded tables get a place in the hub's own feed. */
    public static ReplicaWriter forHub(SyncTables tables, FeedClock clock) {
        return new ReplicaWriter(tables, clock, true);
    }

    /** On a runner: rows of others are stored and not sent on. */
    public static ReplicaWriter forRunner(SyncTables tables, FeedClock clock) {
        return new ReplicaWriter(tables, clock, false);
    }

    /**
     * Applies a page and returns how many rows were newer. The caller has checked that the sender
     * may write for the rows' owners.
     */
    public int apply(Transaction transaction, OrgId org, List<TableRows> page) {
        long stamp = forwards ? firstStamp(transaction, page) : 0;
        int changed = 0;
        for (TableRows part : page) {
            boolean fed = forwards && part.table().isForwarded();
            List<@Nullable Object[]> bound = new ArrayList<>(part.rows().size());
            for (SyncRow row : part.rows()) {
                bound.add(TableSql.bound(org.value(), row, fed ? (Long) stamp++ : null));
            }
            changed += transaction.insertAll(tables.sql(part.table()).applied(), bound);
        }
        return changed;
    }

    private long firstStamp(Transaction transaction, List<TableRows> page) {
        int fed = 0;
        for (TableRows part : page) {
            fed += part.table().isForwarded() ? part.rows().size() : 0;
        }
        return fed == 0 ? 0 : clock.take(transaction, fed);
    }

    /** Who owns the rows stored under the keys of these; a key that is free has no entry. */
    public Map<List<Object>, Owner> owners(Snapshot snapshot, SyncTable table, List<SyncRow> rows) {
        Map<List<Object>, Owner> owners = new HashMap<>();
        String one = "(" + String.join(", ", Collections.nCopies(table.key().size(), "?")) + ")";
        for (int from = 0; from < rows.size(); from += CHUNK) {
            List<SyncRow> chunk = rows.subList(from, Math.min(rows.size(), from + CHUNK));
            List<Object> parameters = new ArrayList<>();
            chunk.forEach(row -> parameters.addAll(table.keyOf(row)));
            snapshot.list(
                    "SELECT org_id, host_id, gen, %1$s FROM %2$s WHERE (%1$s) IN (VALUES %3$s)"
                            .formatted(
                                    String.join(", ", table.key()),
                                    table.name(),
                                    String.join(", ", Collections.nCopies(chunk.size(), one))),
                    found -> owners.put(key(table, found), owner(found)) == null,
                    parameters.toArray());
        }
        return owners;
    }

    private static List<Object> key(SyncTable table, ResultRow found) {
        List<Object> key = new ArrayList<>(table.key().size());
        for (String column : table.key()) {
            key.add(found.text(column));
        }
        return key;
    }

    private static Owner owner(ResultRow found) {
        return new Owner(
                new OrgId(found.text("org_id")),
                new HostId(found.text("host_id")),
                found.number("gen"));
    }

    /** Who a stored row belongs to. */
    public record Owner(OrgId org, HostId host, long gen) {}
}
