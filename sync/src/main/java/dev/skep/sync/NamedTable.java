package dev.skep.sync;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;

/**
 * A table whose rows have a name people use, which should be one row's in an org. Two hosts may
 * choose the same one while apart; then the row that came second is marked, not refused.
 *
 * @param label what people call the name
 * @param name the column that holds it
 */
public record NamedTable(SyncTable table, String label, String name) {
    public static final String CONFLICT = "name_conflict";
    public static final String DELETED = "deleted_at";

    /** Whether rows of the table can be deleted, which frees their name. */
    public boolean hasDeleted() {
        return table.indexOf(DELETED) >= 0;
    }

    public String nameOf(SyncRow row) {
        return row.text(table.indexOf(name));
    }

    public boolean isLive(SyncRow row) {
        return !hasDeleted() || row.value(table.indexOf(DELETED)) == null;
    }

    public boolean isMarked(SyncRow row) {
        return !Long.valueOf(0).equals(row.value(table.indexOf(CONFLICT)));
    }
}
