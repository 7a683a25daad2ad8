package dev.skep.store;

import dev.skep.kernel.row.Column;
import java.util.List;

/**
 * An insert of many rows into one table; the engine chooses the statement's shape.
 *
 * @param onConflict the clause after the values, for example {@code ON CONFLICT (id) DO NOTHING},
 *     or empty
 */
public record BulkInsert(String table, List<Column> columns, String onConflict) {
    public BulkInsert {
        columns = List.copyOf(columns);
    }

    public String columnNames() {
        return String.join(", ", columns.stream().map(Column::name).toList());
    }
}
