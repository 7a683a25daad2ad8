package dev.skep.wire;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The {@code tables} of a message. It keeps its encoded form once made, so that one page goes to
 * many links for the price of one. Thread-safe.
 */
public final class MessageRows {
    public static final MessageRows NONE = new MessageRows(List.of(), List.of());

    private final List<TableRows> tables;
    private final List<Refused> refused;
    private volatile byte @Nullable [] json;
    private volatile long size = -1;

    private MessageRows(List<TableRows> tables, List<Refused> refused) {
        this.tables = List.copyOf(tables);
        this.refused = List.copyOf(refused);
    }

    public static MessageRows of(List<TableRows> tables) {
        return tables.isEmpty() ? NONE : new MessageRows(tables, List.of());
    }

    static MessageRows read(List<TableRows> tables, List<Refused> refused) {
        return new MessageRows(tables, refused);
    }

    public List<TableRows> tables() {
        return tables;
    }

    /** Rows that arrived and are not rows of a table known here. */
    public List<Refused> refused() {
        return refused;
    }

    public boolean isEmpty() {
        return tables.isEmpty() && refused.isEmpty();
    }

    public int count() {
        int count = 0;
        for (TableRows part : tables) {
            count += part.rows().size();
        }
        return count;
    }

    /** Its approximate size in bytes before compression; counted when it is first needed. */
    public long size() {
        long known = size;
        if (known < 0) {
            known = 0;
            for (TableRows part : tables) {
                for (SyncRow row : part.rows()) {
                    known += row.size();
                }
            }
            size = known;
        }
        return known;
    }

    /** The encoded form; computed when it is first needed. */
    byte[] json() {
        byte[] known = json;
        if (known == null) {
            known = RowWriter.encode(tables);
            json = known;
        }
        return known;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (TableRows part : tables) {
            text.append(part.table().name()).append('=').append(part.rows().size()).append(' ');
        }
        return text.append(refused.isEmpty() ? "" : "refused=" + refused.size())
                .append('}')
                .toString();
    }

    /**
     * A row that could not be read as one of its table.
     *
     * @param json the row as it came, cut to a length fit for a quarantine
     */
    public record Refused(String table, String key, Reason reason, String json) {
        public enum Reason {
            UNKNOWN_TABLE,
            BAD_COLUMN,
            TEXT_TOO_LONG,
            TOO_LARGE
        }
    }
}
