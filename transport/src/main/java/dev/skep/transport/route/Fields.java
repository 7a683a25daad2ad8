package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The fields of a request's JSON object; a missing or misshapen one is told by name. */
public final class Fields {
    private static final int LONGEST = 10_000;

    private final JsonNode object;

    Fields(JsonNode object) {
        if (!object.isObject()) {
            throw bad("the body must be a JSON object");
        }
        this.object = object;
    }

    /** The fields of a JSON object; no bytes at all count as one without fields. */
    public static Fields of(byte[] json) {
        return new Fields(json.length == 0 ? Json.object() : Json.tree(json));
    }

    /** The objects of an array of objects. */
    public List<Fields> list(String name) {
        List<Fields> list = new ArrayList<>();
        object.path(name).forEach(each -> list.add(new Fields(each)));
        return list;
    }

    /** Whether the field is there, even as null. */
    public boolean has(String name) {
        return object.has(name);
    }

    public boolean flag(String name) {
        return object.path(name).isBoolean() && object.path(name).booleanValue();
    }

    /** Refuses fields of other names, so that a typing error is not ignored. */
    public Fields only(String... names) {
        List<String> known = Arrays.asList(names);
        for (String name : object.propertyNames()) {
            if (!known.contains(name)) {
                throw bad("there is no field '%s'; there are %s".formatted(name, known));
            }
        }
        return this;
    }

    public String text(String name) {
        return optionalText(name).orElseThrow(() -> bad("field '%s' is missing".formatted(name)));
    }

    public Optional<String> optionalText(String name) {
        JsonNode value = object.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isString() || value.stringValue().length() > LONGEST) {
            throw bad("field '%s' must be a text of at most %d".formatted(name, LONGEST));
        }
        return Optional.of(value.stringValue());
    }

    public long number(String name) {
        JsonNode value = object.path(name);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw bad("field '%s' must be a whole number".formatted(name));
        }
        return value.longValue();
    }

    /** The value as it is, for what a feature parses itself; missing if absent. */
    public JsonNode value(String name) {
        return object.path(name);
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
