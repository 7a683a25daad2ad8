package dev.skep.runner.acp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The JSON library with our bounds, and reads that forgive what is missing or of another type. */
final class AcpJson {
    /** A tree of so many parts is some 30 MB in memory. */
    private static final long MOST_PARTS = 300_000;

    private AcpJson() {}

    static JsonMapper mapper(int longestLine) {
        return JsonMapper.builder(
                        JsonFactory.builder()
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxStringLength(longestLine)
                                                .maxNestingDepth(200)
                                                .maxNameLength(10_000)
                                                .maxTokenCount(MOST_PARTS)
                                                .build())
                                .build())
                .build();
    }

    static String text(JsonNode of, String field, String otherwise) {
        JsonNode value = of.get(field);
        return value != null && value.isString() ? value.stringValue() : otherwise;
    }

    static @Nullable String textOrNull(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value != null && value.isString() ? value.stringValue() : null;
    }

    static boolean flag(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value != null && value.isBoolean() && value.booleanValue();
    }

    static long number(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value != null && value.isIntegralNumber() && value.canConvertToLong()
                ? value.longValue()
                : 0;
    }

    /** The JSON of a field that may be of any type. */
    static @Nullable String json(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value == null || value.isNull() ? null : value.toString();
    }

    /** Whether a field is there and not null. */
    static boolean has(JsonNode of, String field) {
        JsonNode value = of.get(field);
        return value != null && !value.isNull();
    }

    static <T> List<T> list(JsonNode of, String field, Function<JsonNode, T> read) {
        List<T> found = new ArrayList<>();
        JsonNode values = of.get(field);
        if (values != null && values.isArray()) {
            values.forEach(value -> found.add(read.apply(value)));
        }
        return found;
    }

    /** A field that is an object; an empty one if it is not. */
    static JsonNode object(JsonNode of, String field, JsonMapper mapper) {
        JsonNode value = of.get(field);
        return value != null && value.isObject() ? value : mapper.createObjectNode();
    }

    static byte[] line(ObjectNode message, JsonMapper mapper) {
        byte[] json = mapper.writeValueAsBytes(message);
        byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }
}
