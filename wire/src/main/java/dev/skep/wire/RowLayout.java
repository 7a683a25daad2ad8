package dev.skep.wire;

import dev.skep.kernel.id.Ids;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.StorableText;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.wire.MessageRows.Refused.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** The wire layout of rows of one table, prepared for reading many. */
final class RowLayout {
    private static final int NO_COLUMN = -1;
    private static final int HOST = 0;
    private static final int GEN = 1;
    private static final int VER = 2;
    private static final int FIRST_OWN = 3;

    private final SyncTable table;

    /** The fields in the order we write them: the next one is nearly always the next here. */
    private final String[] names;

    private final Map<String, Integer> positions;
    private final boolean[] text;

    RowLayout(SyncTable table) {
        this.table = table;
        List<String> all = new ArrayList<>(List.of("host_id", "gen", "ver"));
        table.columns().forEach(column -> all.add(column.name()));
        this.names = all.toArray(String[]::new);
        if (names.length > Long.SIZE) {
            throw new IllegalArgumentException(table.name() + " has too many columns");
        }
        this.positions = table.positions();
        this.text = new boolean[names.length];
        for (int i = FIRST_OWN; i < names.length; i++) {
            text[i] = table.columns().get(i - FIRST_OWN).type() == Column.Type.TEXT;
        }
    }

    SyncTable table() {
        return table;
    }

    /** Reads the object the parser stands at and leaves the parser at its end. */
    Draft read(JsonParser in) {
        Draft draft = new Draft();
        int expected = 0;
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            int at = expected < names.length && names[expected].equals(name) ? expected : at(name);
            JsonToken value = in.nextToken();
            if (at == NO_COLUMN) {
                draft.unknown(in, name);
            } else {
                expected = at + 1;
                draft.set(in, at, value);
            }
        }
        WireJson.expect(in.currentToken(), JsonToken.END_OBJECT, "a row");
        return draft;
    }

    private int at(String name) {
        Integer own = positions.get(name);
        if (own != null) {
            return own + FIRST_OWN;
        }
        return switch (name) {
            case "host_id" -> HOST;
            case "gen" -> GEN;
            case "ver" -> VER;
            default -> NO_COLUMN;
        };
    }

    /** A row half read. */
    final class Draft {
        private final @Nullable Object[] values = new Object[names.length - FIRST_OWN];
        private String host = "";
        private long gen;
        private long ver;
        private long set;
        private long size;
        private @Nullable ExtraColumns extra;
        private @Nullable Reason problem;

        void set(JsonParser in, int at, JsonToken value) {
            if ((set & (1L << at)) != 0) {
                problem = Reason.BAD_COLUMN;
            }
            set |= 1L << at;
            if (value == JsonToken.VALUE_STRING && (text[at] || at == HOST)) {
                setText(at, in.getString());
            } else if (at == VER && value == JsonToken.VALUE_STRING) {
                ver = WireJson.position(in, "ver");
            } else if (at == GEN && value == JsonToken.VALUE_NUMBER_INT) {
                gen = in.getLongValue();
            } else if (at >= FIRST_OWN && !text[at] && value == JsonToken.VALUE_NUMBER_INT) {
                values[at - FIRST_OWN] = in.getLongValue();
            } else if (value != JsonToken.VALUE_NULL || at < FIRST_OWN) {
                in.skipChildren();
                problem = Reason.BAD_COLUMN;
            }
        }

        private void setText(int at, String value) {
            size += value.length();
            if (!StorableText.isStorable(value)) {
                problem = Reason.BAD_COLUMN;
            }
            if (at == HOST) {
                host = value;
            } else {
                if (table.columns().get(at - FIRST_OWN).isTooShortFor(value)) {
                    problem = Reason.TEXT_TOO_LONG;
                }
                values[at - FIRST_OWN] = value;
            }
        }

        void unknown(JsonParser in, String name) {
            switch (name) {
                // Ours and never a peer's to set.
                case "org_id", "feed", "extra" -> in.skipChildren();
                default -> {
                    if (extra == null) {
                        extra = new ExtraColumns();
                    }
                    if (!extra.add(name, in)) {
                        problem = Reason.BAD_COLUMN;
                    }
                }
            }
        }

        /** The row, or null if something about it is wrong. */
        @Nullable SyncRow row() {
            if (size > WireLimits.TEXT) {
                problem = Reason.TOO_LARGE;
            }
            if (!Ids.isOurUlid(host) || ver <= 0 || gen < 0 || lacksRequired()) {
                problem = problem == null ? Reason.BAD_COLUMN : problem;
            }
            String kept = extra == null || problem != null ? null : extra.json();
            return problem == null ? new SyncRow(host, gen, ver, values, kept) : null;
        }

        private boolean lacksRequired() {
            List<Column> columns = table.columns();
            for (int i = 0; i < values.length; i++) {
                if (values[i] == null && columns.get(i).required()) {
                    return true;
                }
            }
            return false;
        }

        Reason problem() {
            return problem == null ? Reason.BAD_COLUMN : problem;
        }

        String key() {
            int first = table.indexOf(table.key().getFirst());
            return first >= 0 && values[first] instanceof String id && StorableText.isStorable(id)
                    ? id.substring(0, Math.min(64, id.length()))
                    : "";
        }
    }
}
