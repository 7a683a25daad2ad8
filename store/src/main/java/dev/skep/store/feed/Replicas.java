package dev.skep.store.feed;

import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stores other hosts' rows: only what is newer, only from its owner. A row that is not newer
 * changes nothing, not even its place in the feed, so a repeated page is forwarded no further.
 */
public final class Replicas {
    private final SyncTables tables;
    private final FeedClock clock;
    private final boolean forwards;

    private Replicas(SyncTables tables, FeedClock clock, boolean forwards) {
        this.tables = tables;
        this.clock = clock;
        this.forwards = forwards;
    }

    /** On a hub: rows of forwarded tables get a place in the hub's own feed. */
    public static Replicas thatForward(SyncTables tables, FeedClock clock) {
        return new Replicas(tables, clock, true);
    }

    /** On a runner: what others own is kept and sent to nobody. */
    public static Replicas thatKeep(SyncTables tables, FeedClock clock) {
        return new Replicas(tables, clock, false);
    }

    /**
     * Applies a page and returns how many rows were newer. The caller has checked that the sender
     * may speak for the rows' owners.
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

    /** Whether a stored row keeps this one out because it belongs to another owner or org. */
    public boolean isAnothers(Transaction transaction, OrgId org, SyncTable table, SyncRow row) {
        String key = table.key().stream().map(c -> c + " = ?").collect(Collectors.joining(" AND "));
        List<@Nullable Object> parameters = new ArrayList<>();
        for (String column : table.key()) {
            parameters.add(
                    column.equals("host_id") ? row.hostId() : row.value(table.indexOf(column)));
        }
        parameters.add(org.value());
        parameters.add(row.hostId());
        parameters.add(row.gen());
        return transaction
                .first(
                        "SELECT 1 FROM %s WHERE %s AND (org_id <> ? OR (host_id <> ? AND gen >= ?))"
                                .formatted(table.name(), key),
                        found -> true,
                        parameters.toArray())
                .orElse(false);
    }
}
