package dev.skep.store.copy;

import dev.skep.kernel.row.Column;
import dev.skep.store.BulkInsert;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One table as the source has it, and the statements to read and write it. */
record CopiedTable(String name, List<Column> columns, List<String> key) {

    /** All tables of a SQLite file but the one about its migrations. */
    static List<CopiedTable> of(Snapshot source) {
        return source
                .list(
                        """
                        SELECT name FROM sqlite_master
                        WHERE type = 'table' AND name <> 'schema_version' AND name NOT LIKE 'sqlite_%'
                        ORDER BY name
                        """,
                        row -> row.text("name"))
                .stream()
                .map(name -> read(source, name))
                .toList();
    }

    private record Described(Column column, long keyPlace) {}

    private static CopiedTable read(Snapshot source, String name) {
        List<Described> described =
                source.list(
                        "SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid",
                        row -> new Described(column(row), row.number("pk")),
                        name);
        List<String> key =
                described.stream()
                        .filter(d -> d.keyPlace > 0)
                        .sorted((a, b) -> Long.compare(a.keyPlace, b.keyPlace))
                        .map(d -> d.column.name())
                        .toList();
        if (key.isEmpty()) {
            throw new IllegalStateException(name + " has no key to copy it by");
        }
        return new CopiedTable(name, described.stream().map(Described::column).toList(), key);
    }

    private static Column column(ResultRow row) {
        return row.text("type").equals("TEXT")
                ? Column.text(row.text("name")).optional()
                : Column.integer(row.text("name")).optional();
    }

    long count(Snapshot snapshot) {
        return snapshot.first("SELECT count(*) FROM " + name, row -> row.number(1)).orElseThrow();
    }

    /** The next rows in the order of the key; from the start if {@code after} is empty. */
    List<@Nullable Object[]> after(Snapshot source, List<Object> after, int limit) {
        String keys = String.join(", ", key);
        String behind =
                after.isEmpty() ? "" : "WHERE (%s) > (%s)".formatted(keys, marks(after.size()));
        List<Object> parameters = new ArrayList<>(after);
        parameters.add(limit);
        return source.list(
                "SELECT %s FROM %s %s ORDER BY %s LIMIT ?".formatted(names(), name, behind, keys),
                this::values,
                parameters.toArray());
    }

    /** The highest key that is there, by the order in which rows are copied. */
    List<Object> last(Snapshot target) {
        String order =
                key.stream()
                        .map(k -> ordered(target, k) + " DESC")
                        .collect(Collectors.joining(", "));
        return target.first(
                        "SELECT %s FROM %s ORDER BY %s LIMIT 1".formatted(names(), name, order),
                        row -> keyOf(values(row)))
                .orElse(List.of());
    }

    /** PostgreSQL may sort text by a language; SQLite sorts bytes. */
    private String ordered(Snapshot target, String column) {
        boolean text = columns.get(indexOf(column)).type() == Column.Type.TEXT;
        return text && target.dialect() == SqlDialect.POSTGRES ? column + " COLLATE \"C\"" : column;
    }

    /** The rows with the keys of these, by key. */
    Map<List<Object>, @Nullable Object[]> same(Snapshot target, List<@Nullable Object[]> rows) {
        if (rows.isEmpty()) {
            return Map.of();
        }
        List<Object> parameters = new ArrayList<>();
        rows.forEach(row -> parameters.addAll(keyOf(row)));
        String one = "(" + marks(key.size()) + ")";
        Map<List<Object>, @Nullable Object[]> found = new HashMap<>();
        target.list(
                        "SELECT %s FROM %s WHERE (%s) IN (VALUES %s)"
                                .formatted(
                                        names(),
                                        name,
                                        String.join(", ", key),
                                        String.join(", ", Collections.nCopies(rows.size(), one))),
                        this::values,
                        parameters.toArray())
                .forEach(row -> found.put(keyOf(row), row));
        return found;
    }

    BulkInsert insert() {
        String others =
                columns.stream()
                        .map(Column::name)
                        .filter(c -> !key.contains(c))
                        .map(c -> c + " = excluded." + c)
                        .collect(Collectors.joining(", "));
        return new BulkInsert(
                name,
                columns,
                "ON CONFLICT (%s) DO %s"
                        .formatted(
                                String.join(", ", key),
                                others.isEmpty() ? "NOTHING" : "UPDATE SET " + others));
    }

    List<Object> keyOf(@Nullable Object[] row) {
        List<Object> values = new ArrayList<>();
        for (String column : key) {
            Object value = row[indexOf(column)];
            if (value == null) {
                throw new IllegalStateException(name + " has a row without " + column);
            }
            values.add(value);
        }
        return values;
    }

    private int indexOf(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        throw new IllegalStateException(name + " has no column " + column);
    }

    private @Nullable Object[] values(ResultRow row) {
        @Nullable Object[] values = new Object[columns.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    columns.get(i).type() == Column.Type.TEXT
                            ? row.textOrNull(i + 1)
                            : row.numberOrNull(i + 1);
        }
        return values;
    }

    private String names() {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    private static String marks(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }
}
