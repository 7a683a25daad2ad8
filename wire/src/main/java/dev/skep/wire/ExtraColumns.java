package dev.skep.wire;

import dev.skep.kernel.row.StorableText;
import dev.skep.kernel.row.SyncTable;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** Columns a newer version sent: kept as one JSON object, passed on, and never part of any SQL. */
final class ExtraColumns {
    private final Set<String> names = new HashSet<>();
    private final StringWriter text = new StringWriter();
    private final JsonGenerator out = WireJson.generator(text).writeStartObject();

    /** Takes the value the parser stands at; false if this makes the row one to refuse. */
    boolean add(String name, JsonParser in) {
        if (!names.add(name) || text.getBuffer().length() > WireLimits.EXTRA) {
            in.skipChildren();
            return false;
        }
        out.writeName(name);
        out.copyCurrentStructureExact(in);
        out.flush();
        return text.getBuffer().length() <= WireLimits.EXTRA
                && StorableText.isStorable(text.toString());
    }

    String json() {
        out.writeEndObject();
        out.close();
        return text.toString();
    }

    /** Puts the kept columns back into a row, except those this version has learned since. */
    static void copy(String json, SyncTable table, JsonGenerator out) {
        try (JsonParser in = WireJson.parser(json)) {
            in.nextToken();
            for (String name = in.nextName(); name != null; name = in.nextName()) {
                in.nextToken();
                if (table.indexOf(name) >= 0) {
                    in.skipChildren();
                } else {
                    out.writeName(name);
                    out.copyCurrentStructureExact(in);
                }
            }
        }
    }
}
