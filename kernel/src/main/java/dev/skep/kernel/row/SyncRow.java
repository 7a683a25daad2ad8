package dev.skep.kernel.row;

import org.jspecify.annotations.Nullable;

/**
 * One row as it travels: its owner, its rank, and its values in the order of {@link
 * SyncTable#columns()}. The array is handed over, never changed afterwards.
 *
 * @param gen ownership generation; a higher one outranks every stamp of a lower one
 * @param ver the owner's stamp
 * @param extra a JSON object of columns this version does not know, passed on untouched
 */
@SuppressWarnings("ArrayRecordComponent") // rows are compared by key and rank, never by equals
public record SyncRow(
        String hostId, long gen, long ver, @Nullable Object[] values, @Nullable String extra) {

    public @Nullable Object value(int column) {
        return values[column];
    }

    /** About as many bytes as it is before it is compressed. */
    public long size() {
        long size = 64;
        for (Object value : values) {
            size += value instanceof String text ? text.length() : 8;
        }
        return size;
    }

    public String text(int column) {
        if (values[column] instanceof String text) {
            return text;
        }
        throw new IllegalStateException("no text in column " + column);
    }
}
