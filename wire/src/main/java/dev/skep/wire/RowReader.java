package dev.skep.wire;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.wire.MessageRows.Refused;
import dev.skep.wire.MessageRows.Refused.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads {@code tables}: per table a list of rows, each straight into its columns. Thread-safe. */
final class RowReader {
    private final Function<String, Optional<SyncTable>> tables;
    private final Map<String, RowLayout> rowLayouts = new ConcurrentHashMap<>();

    RowReader(Function<String, Optional<SyncTable>> tables) {
        this.tables = tables;
    }

    MessageRows read(JsonParser in, byte[] source) {
        WireJson.expect(in.currentToken(), JsonToken.START_OBJECT, "tables");
        Map<String, TableRows> read = new LinkedHashMap<>();
        List<Refused> refused = new ArrayList<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            WireJson.expect(in.nextToken(), JsonToken.START_ARRAY, "a table");
            RowLayout rowLayout = shape(name);
            List<SyncRow> rows = new ArrayList<>();
            while (in.nextToken() == JsonToken.START_OBJECT) {
                int start = (int) in.currentTokenLocation().getByteOffset();
                if (rowLayout == null) {
                    in.skipChildren();
                    refuse(refused, name, "", Reason.UNKNOWN_TABLE, raw(in, source, start));
                } else {
                    RowLayout.Draft draft = rowLayout.read(in);
                    SyncRow row = draft.row();
                    if (row != null) {
                        rows.add(row);
                    } else {
                        String raw = raw(in, source, start);
                        refuse(refused, name, draft.key(), draft.problem(), raw);
                    }
                }
            }
            WireJson.expect(in.currentToken(), JsonToken.END_ARRAY, "a table");
            if (rowLayout != null
                    && !rows.isEmpty()
                    && read.put(name, new TableRows(rowLayout.table(), rows)) != null) {
                throw new MalformedMessageException("a table appears twice");
            }
        }
        return MessageRows.read(List.copyOf(read.values()), refused);
    }

    private @Nullable RowLayout shape(String name) {
        RowLayout known = rowLayouts.get(name);
        if (known != null) {
            return known;
        }
        // Only names of tables that exist are remembered, or a peer could fill the map.
        return tables.apply(name)
                .map(table -> rowLayouts.computeIfAbsent(name, _ -> new RowLayout(table)))
                .orElse(null);
    }

    private static void refuse(
            List<Refused> refused, String table, String key, Reason reason, String raw) {
        if (refused.size() < WireLimits.REFUSED_ROWS) {
            refused.add(new Refused(table, key, reason, raw));
        }
    }

    private static String raw(JsonParser in, byte[] source, int start) {
        int end = (int) in.currentLocation().getByteOffset();
        int length = Math.min(end - start, WireLimits.REFUSED);
        // Escapes stay escapes in here; only raw NUL bytes could not be stored.
        return new String(source, start, length, StandardCharsets.UTF_8).replace('\0', ' ');
    }
}
