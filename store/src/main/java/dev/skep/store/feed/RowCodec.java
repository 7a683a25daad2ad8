package dev.skep.store.feed;

import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a synced table as a Java type. Lists of columns, the values of own rows and their
 * readers follow from the table's description, so that a new column is added to the description,
 * the type and its codec, and to nothing else. Rows that travel stay {@code SyncRow}s.
 *
 * @param <R> the type; it may leave out columns that only travel
 */
public final class RowCodec<R> {
    private static final List<String> TIMES = List.of("created_at", "updated_at");

    private final SyncTable table;
    private final Map<String, Integer> positions;
    private final List<Optional<Function<R, @Nullable Object>>> values;
    private final Function<RowColumns, R> reader;

    private RowCodec(Builder<R> builder, Function<RowColumns, R> reader) {
        this.table = builder.table;
        this.positions = table.positions();
        this.values =
                table.columns().stream()
                        .map(column -> Optional.ofNullable(builder.values.get(column.name())))
                        .toList();
        this.reader = reader;
    }

    public static <R> Builder<R> of(SyncTable table) {
        return new Builder<>(table);
    }

    public SyncTable table() {
        return table;
    }

    /** What to select so that {@link #read(ResultRow)} finds a row at the start of the result. */
    public String columns() {
        return columns(table.name());
    }

    /** The same, from a table with an alias. */
    public String columns(String alias) {
        return columns(alias, Map.of());
    }

    /** The same, with expressions in place of some columns: what is computed, or not wanted. */
    public String columns(String alias, Map<String, String> instead) {
        return Stream.concat(Stream.of("host_id"), table.columns().stream().map(Column::name))
                .map(
                        column ->
                                instead.containsKey(column)
                                        ? instead.get(column) + " AS " + column
                                        : alias + "." + column)
                .collect(Collectors.joining(", "));
    }

    /** How many columns {@link #columns()} names. */
    public int width() {
        return table.columns().size() + 1;
    }

    public R read(ResultRow row) {
        return reader.apply(new RowColumns(row, positions, 1));
    }

    /** A row that an outer join may not have found; its columns stand from a position on. */
    public Optional<R> readJoined(ResultRow row, int from) {
        return row.textOrNull(from) == null
                ? Optional.empty()
                : Optional.of(reader.apply(new RowColumns(row, positions, from)));
    }

    /** A row's values in the order of the table; times it does not have are those of the write. */
    @Nullable Object[] values(R row, String now) {
        @Nullable Object[] all = new Object[values.size()];
        for (int i = 0; i < all.length; i++) {
            Optional<Function<R, @Nullable Object>> value = values.get(i);
            all[i] = value.isPresent() ? stored(value.get().apply(row)) : now;
        }
        return all;
    }

    private static @Nullable Object stored(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Instant instant -> Timestamps.format(instant);
            case Boolean flag -> flag ? 1L : 0L;
            case Integer number -> number.longValue();
            default -> value;
        };
    }

    /** Maps each column to its value in a row; in any order, and none may be missing. */
    public static final class Builder<R> {
        private final SyncTable table;
        private final Map<String, Function<R, @Nullable Object>> values = new HashMap<>();

        private Builder(SyncTable table) {
            this.table = table;
        }

        public Builder<R> column(String name, Function<R, @Nullable Object> value) {
            if (table.indexOf(name) < 0 || values.put(name, value) != null) {
                throw new IllegalArgumentException(
                        "%s has no column %s, or it is named twice".formatted(table.name(), name));
            }
            return this;
        }

        /** The codec that makes rows like this. */
        public RowCodec<R> reads(Function<RowColumns, R> reader) {
            for (Column column : table.columns()) {
                if (!values.containsKey(column.name()) && !TIMES.contains(column.name())) {
                    throw new IllegalArgumentException(
                            "the codec of %s leaves out %s".formatted(table.name(), column.name()));
                }
            }
            return new RowCodec<>(this, reader);
        }
    }
}
