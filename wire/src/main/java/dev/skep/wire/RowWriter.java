package dev.skep.wire;

import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.util.ByteArrayBuilder;

/** Writes rows as JSON objects with their table's column names; a null column is left out. */
final class RowWriter {
    private static final SerializableString HOST_ID = new SerializedString("host_id");
    private static final SerializableString GEN = new SerializedString("gen");
    private static final SerializableString VER = new SerializedString("ver");

    private static final Map<String, SerializableString> NAMES = new ConcurrentHashMap<>();

    private RowWriter() {}

    static byte[] encode(List<TableRows> tables) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator out = WireJson.generator(bytes)) {
            out.writeStartObject();
            for (TableRows part : tables) {
                out.writeName(part.table().name());
                out.writeStartArray();
                SerializableString[] names = names(part.table());
                for (SyncRow row : part.rows()) {
                    write(out, part.table(), names, row);
                }
                out.writeEndArray();
            }
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    static byte[] encode(SyncTable table, SyncRow row) {
        ByteArrayBuilder bytes = new ByteArrayBuilder();
        try (JsonGenerator out = WireJson.generator(bytes)) {
            write(out, table, names(table), row);
        }
        return bytes.toByteArray();
    }

    private static void write(
            JsonGenerator out, SyncTable table, SerializableString[] names, SyncRow row) {
        out.writeStartObject();
        out.writeName(HOST_ID);
        out.writeString(row.hostId());
        out.writeName(GEN);
        out.writeNumber(row.gen());
        out.writeName(VER);
        out.writeString(Long.toString(row.ver()));
        @Nullable Object[] values = row.values();
        for (int i = 0; i < values.length; i++) {
            switch (values[i]) {
                case null -> {}
                case String text -> out.writeName(names[i]).writeString(text);
                case Long number -> out.writeName(names[i]).writeNumber(number);
                default -> throw new IllegalStateException(table.name() + " holds a strange value");
            }
        }
        String extra = row.extra();
        if (extra != null) {
            ExtraColumns.copy(extra, table, out);
        }
        out.writeEndObject();
    }

    private static SerializableString[] names(SyncTable table) {
        List<Column> columns = table.columns();
        SerializableString[] names = new SerializableString[columns.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = NAMES.computeIfAbsent(columns.get(i).name(), SerializedString::new);
        }
        return names;
    }
}
