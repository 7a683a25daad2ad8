package dev.skep.store.feed;

import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The columns of one synced row by name, wherever in a result they begin. */
public final class RowColumns {
    private final ResultRow row;
    private final Map<String, Integer> positions;
    private final int from;

    RowColumns(ResultRow row, Map<String, Integer> positions, int from) {
        this.row = row;
        this.positions = positions;
        this.from = from;
    }

    /** The host that writes the row. */
    public String owner() {
        return row.text(from);
    }

    public String text(String column) {
        return row.text(at(column));
    }

    public @Nullable String textOrNull(String column) {
        return row.textOrNull(at(column));
    }

    public long number(String column) {
        return row.number(at(column));
    }

    public @Nullable Long numberOrNull(String column) {
        return row.numberOrNull(at(column));
    }

    public boolean flag(String column) {
        return number(column) != 0;
    }

    public Instant time(String column) {
        return row.time(at(column));
    }

    public @Nullable Instant timeOrNull(String column) {
        return row.timeOrNull(at(column));
    }

    private int at(String column) {
        Integer position = positions.get(column);
        if (position == null) {
            throw new IllegalArgumentException("no column " + column);
        }
        return from + 1 + position;
    }
}
