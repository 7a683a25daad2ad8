package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.util.RawValue;

/** JSON as routes and commands use it: values out by their records, trees in. */
public final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(EnumFeature.WRITE_ENUMS_TO_LOWERCASE)
                    .annotationIntrospector(new SparseRecords())
                    .addModule(new SimpleModule().addSerializer(new Times()))
                    .build();

    private Json() {}

    public static byte[] bytes(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    public static String text(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** Stored JSON as part of a value that is written; null stays null. */
    public static @Nullable Object raw(@Nullable String json) {
        return json == null ? null : new RawValue(json);
    }

    /** The same JSON with each of its texts replaced, names of fields left alone. */
    public static String mapped(String json, UnaryOperator<String> texts) {
        return text(mapped(values(json), texts));
    }

    private static @Nullable Object mapped(@Nullable Object value, UnaryOperator<String> texts) {
        return switch (value) {
            case String text -> texts.apply(text);
            case Map<?, ?> fields -> {
                Map<String, @Nullable Object> all = new LinkedHashMap<>();
                fields.forEach((name, each) -> all.put(String.valueOf(name), mapped(each, texts)));
                yield all;
            }
            case List<?> items -> {
                List<@Nullable Object> all = new ArrayList<>(items.size());
                items.forEach(each -> all.add(mapped(each, texts)));
                yield all;
            }
            case null -> null;
            default -> value;
        };
    }

    /** JSON as maps, lists, texts and numbers. */
    public static @Nullable Object values(String json) {
        try {
            return MAPPER.readValue(json, Object.class);
        } catch (JacksonException e) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "this is not JSON");
        }
    }

    /** Stored JSON as fields. */
    public static JsonFields fields(String json) {
        return new JsonFields(tree(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** The same of what another host wrote: empty if it is no JSON object. */
    public static Optional<JsonFields> fieldsIfObject(@Nullable String json) {
        return Optional.ofNullable(objectIn(json)).map(JsonFields::new);
    }

    /**
     * What another host wrote, as part of a value that is written; null if it is no JSON object.
     */
    public static @Nullable Object objectOrNull(@Nullable String json) {
        return objectIn(json);
    }

    private static @Nullable JsonNode objectIn(@Nullable String json) {
        if (json == null) {
            return null;
        }
        try {
            JsonNode tree = MAPPER.readTree(json);
            return tree.isObject() ? tree : null;
        } catch (JacksonException notJson) {
            return null;
        }
    }

    public static JsonNode tree(byte[] bytes) {
        try {
            return MAPPER.readTree(bytes);
        } catch (JacksonException e) {
            // Without the cause: it quotes the text, which may hold a secret.
            throw new SkepException(ErrorCode.BAD_REQUEST, "the body is not JSON; send an object");
        }
    }

    /** Whether this JSON is an object; refused if it is no JSON. */
    public static boolean isObject(byte[] bytes) {
        return tree(bytes).isObject();
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Times have one form everywhere, whatever the clock that gave them counts in. */
    private static final class Times extends StdSerializer<Instant> {
        Times() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant time, JsonGenerator json, SerializationContext context) {
            json.writeString(Timestamps.format(time));
        }
    }
}
