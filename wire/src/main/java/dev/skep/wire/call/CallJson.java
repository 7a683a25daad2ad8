package dev.skep.wire.call;

import java.io.StringWriter;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes the JSON objects of calls. */
final class CallJson {
    /** With the library's own limits: what a job carries may be deeper than rows are. */
    private static final JsonFactory FACTORY = new JsonFactory();

    private CallJson() {}

    static JsonParser parser(byte[] json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }

    /** One object with the fields that are written into it. */
    static String object(Consumer<JsonGenerator> fields) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            fields.accept(json);
            json.writeEndObject();
        }
        return text.toString();
    }

    static void raw(JsonGenerator json, String name, String value) {
        json.writeName(name);
        json.writeRawValue(value);
    }

    /** An array of objects, one of each item. */
    static <T> void array(
            JsonGenerator json,
            String name,
            Collection<T> items,
            BiConsumer<JsonGenerator, T> fields) {
        json.writeArrayPropertyStart(name);
        for (T item : items) {
            json.writeStartObject();
            fields.accept(json, item);
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
