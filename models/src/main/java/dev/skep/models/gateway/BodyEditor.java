package dev.skep.models.gateway;

import dev.skep.models.gateway.CallBody.Span;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;

/** Values of a body to be replaced or added; every other byte stays as it is. */
final class BodyEditor {
    private record Edit(Span over, String by) {}

    private final CallBody body;
    private final TreeMap<Integer, Edit> edits = new TreeMap<>();

    BodyEditor(CallBody body) {
        this.body = body;
    }

    /** Puts a JSON value at a path, whose objects are added where they are missing. */
    void set(String json, String... path) {
        List<String> names = List.of(path);
        Span there = body.place(String.join("/", names));
        if (there != null) {
            put(there, json);
            return;
        }
        for (int known = names.size() - 1; known >= 0; known--) {
            Span parent = body.place(String.join("/", names.subList(0, known)));
            if (parent != null) {
                add(parent, member(names.subList(known, names.size()), json));
                return;
            }
        }
    }

    private static String member(List<String> names, String json) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(i == 0 ? "" : "{").append('"').append(names.get(i)).append("\":");
        }
        return text.append(json).append("}".repeat(names.size() - 1)).toString();
    }

    /** As the first member of an object; a null becomes one. */
    private void add(Span parent, String member) {
        if (body.bytes()[parent.from()] != '{') {
            put(parent, "{" + member + "}");
            return;
        }
        int first = parent.from() + 1;
        Edit before = edits.get(first);
        boolean last = before == null && isEmpty(parent);
        String text = member + (last ? "" : ",");
        put(new Span(first, first), before == null ? text : text + before.by());
    }

    private boolean isEmpty(Span object) {
        for (int i = object.from() + 1; i < object.to() - 1; i++) {
            if (!Character.isWhitespace(body.bytes()[i])) {
                return false;
            }
        }
        return true;
    }

    private void put(Span over, String by) {
        edits.put(over.from(), new Edit(over, by));
    }

    byte[] applied() {
        if (edits.isEmpty()) {
            return body.bytes();
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(body.bytes().length + 256);
        int at = 0;
        for (Edit edit : edits.values()) {
            out.write(body.bytes(), at, edit.over().from() - at);
            out.writeBytes(edit.by().getBytes(StandardCharsets.UTF_8));
            at = edit.over().to();
        }
        out.write(body.bytes(), at, body.bytes().length - at);
        return out.toByteArray();
    }
}
