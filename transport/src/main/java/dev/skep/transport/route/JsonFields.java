package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.wire.call.MessageFields;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The fields of a request's JSON object; an error names a missing or malformed field. */
public final class JsonFields implements MessageFields {
    private static final int LONGEST = 10_000;
    private static final int LONGEST_ID = 100;

    private final JsonNode object;

    JsonFields(JsonNode object) {
        this(object, "the body");
    }

    private JsonFields(JsonNode object, String what) {
        if (!object.isObject()) {
            throw bad(what + " must be a JSON object");
        }
        this.object = object;
    }

    /** The fields of a JSON object; no bytes at all count as one without fields. */
    public static JsonFields of(byte[] json) {
        return new JsonFields(json.length == 0 ? Json.object() : Json.tree(json));
    }

    /** The objects of an array of objects. */
    @Override
    public List<JsonFields> list(String name) {
        List<JsonFields> list = new ArrayList<>();
        object.path(name)
                .forEach(each -> list.add(new JsonFields(each, "each of '%s'".formatted(name))));
        return list;
    }

    /** The objects of an array that another host wrote; whatever else is in it is left out. */
    public List<JsonFields> objects(String name) {
        List<JsonFields> list = new ArrayList<>();
        if (object.path(name).isArray()) {
            object.path(name)
                    .valueStream()
                    .filter(JsonNode::isObject)
                    .map(JsonFields::new)
                    .forEach(list::add);
        }
        return list;
    }

    /** A field as people read it; nothing for null and for what is not one value. */
    public String shown(String name) {
        JsonNode value = object.path(name);
        return value.isValueNode() && !value.isNull() ? value.asString() : "";
    }

    /** Whether the field is there, even as null. */
    @Override
    public boolean has(String name) {
        return object.has(name);
    }

    public boolean flag(String name) {
        return object.path(name).isBoolean() && object.path(name).booleanValue();
    }

    /** Refuses fields of other names, so that a typing error is not ignored. */
    @Override
    public JsonFields only(String... names) {
        List<String> known = Arrays.asList(names);
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                throw bad("there is no field '%s'; there are %s".formatted(name, known));
            }
        }
        return this;
    }

    /** Refuses fields that are no components of this record, which describes the body. */
    public JsonFields only(Class<? extends Record> body) {
        return only(
                Arrays.stream(body.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toArray(String[]::new));
    }

    /** The fields as a record; those that may be null can be left out, others are refused. */
    public <R extends Record> R as(Class<R> type) {
        return RecordReader.read(only(type), type);
    }

    @Override
    public String text(String name) {
        return optionalText(name).orElseThrow(() -> bad("field '%s' is missing".formatted(name)));
    }

    /** An id, which is refused where its type refuses it. */
    public <T> T id(String name, Function<String, T> type) {
        return readId(name, text(name), type);
    }

    public <T> Optional<T> optionalId(String name, Function<String, T> type) {
        return optionalText(name).map(text -> readId(name, text, type));
    }

    private static <T> T readId(String name, String text, Function<String, T> type) {
        try {
            if (!text.isBlank() && text.length() <= LONGEST_ID) {
                return type.apply(text);
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw bad("field '%s' must be an id; see the list it comes from".formatted(name));
    }

    @Override
    public Optional<String> optionalText(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(longText(name, LONGEST));
    }

    /** A text that may be longer than others. */
    @Override
    public String longText(String name, int longest) {
        JsonNode value = object.path(name);
        if (!value.isString() || value.stringValue().length() > longest) {
            throw bad("field '%s' must be a text of at most %d".formatted(name, longest));
        }
        return value.stringValue();
    }

    @Override
    public long number(String name) {
        JsonNode value = object.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw bad("field '%s' must be a whole number".formatted(name));
        }
        return value.longValue();
    }

    @Override
    public Optional<Long> optionalNumber(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(number(name));
    }

    /** A number with a fraction, where there is one. */
    public Optional<Double> decimal(String name) {
        JsonNode value = object.path(name);
        return value.isNumber() ? Optional.of(value.doubleValue()) : Optional.empty();
    }

    /** An object within this one; empty where it is missing or null. */
    @Override
    public Optional<JsonFields> object(String name) {
        return isAbsent(name)
                ? Optional.empty()
                : Optional.of(new JsonFields(object.path(name), "field '%s'".formatted(name)));
    }

    /** All fields, each of which must be a text. */
    @Override
    public Map<String, String> texts() {
        Map<String, String> texts = new TreeMap<>();
        object.propertyNames().forEach(name -> texts.put(name, text(name)));
        return texts;
    }

    /** The texts of an array of texts. */
    @Override
    public List<String> textList(String name) {
        List<String> list = new ArrayList<>();
        for (JsonNode each : object.path(name)) {
            if (!each.isString()) {
                throw bad("field '%s' must be a list of texts".formatted(name));
            }
            list.add(each.stringValue());
        }
        return list;
    }

    /** The JSON of a field, for what is stored as it came. */
    @Override
    public Optional<String> json(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(object.path(name).toString());
    }

    /** All of it, as JSON. */
    public String json() {
        return object.toString();
    }

    private boolean isAbsent(String name) {
        return object.path(name).isMissingNode() || object.path(name).isNull();
    }

    /** The value as it is, for what a feature parses itself; missing if absent. */
    public JsonNode value(String name) {
        return object.path(name);
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
