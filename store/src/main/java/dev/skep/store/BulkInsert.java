package dev.skep.store;

import dev.skep.kernel.row.Column;
import java.util.ArrayList;
import java.util.List;

/**
 * An insert of many rows into one table; the engine chooses the statement's shape.
 *
 * @param onConflict the clause after the values, for example {@code ON CONFLICT (id) DO NOTHING},
 *     or empty
 * @param computed columns whose value the database finds by itself, the same for every row
 */
public record BulkInsert(
        String table, List<Column> columns, String onConflict, List<Computed> computed) {
    public BulkInsert {
        columns = List.copyOf(columns);
        computed = List.copyOf(computed);
    }

    public BulkInsert(String table, List<Column> columns, String onConflict) {
        this(table, columns, onConflict, List.of());
    }

    /** A column and the SQL that gives its value. */
    public record Computed(String column, String expression) {}

    /** All columns, those that are bound first. */
    public String columnNames() {
        List<String> names = new ArrayList<>(columns.stream().map(Column::name).toList());
        computed.forEach(each -> names.add(each.column()));
        return String.join(", ", names);
    }

    /** What gives the computed columns their values. */
    public List<String> expressions() {
        return computed.stream().map(Computed::expression).toList();
    }
}
