package dev.skep.testkit.hub;

import dev.skep.transport.describe.Schemas;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of JSON schema that our documents use, read strictly: a member that is not described is
 * a difference too. Never quotes a value, which may be a secret.
 */
public final class SchemaCheck {
    private final Schemas schemas;

    public SchemaCheck(Schemas schemas) {
        this.schemas = schemas;
    }

    /** Where a value does not match, one line each. */
    public List<String> differences(Map<String, Object> schema, @Nullable Object value) {
        List<String> found = new ArrayList<>();
        check(schema, value, "$", found);
        return found;
    }

    private void check(
            Map<String, Object> given, @Nullable Object value, String at, List<String> found) {
        Map<String, Object> schema = schemas.resolve(given);
        if (schema.get("anyOf") instanceof List<?> choices) {
            boolean any =
                    choices.stream().anyMatch(each -> differences(asSchema(each), value).isEmpty());
            if (!any) {
                found.add(at + " is none of the described");
            }
            return;
        }
        Object type = schema.get("type");
        if (type != null && !types(type).contains(typeOf(value))) {
            found.add("%s is %s, not %s".formatted(at, typeOf(value), type));
            return;
        }
        if (schema.get("enum") instanceof List<?> words && !words.contains(value)) {
            found.add("%s is none of %s".formatted(at, words));
        }
        if (value instanceof String text
                && "date-time".equals(schema.get("format"))
                && !isTime(text)) {
            found.add(at + " is no time");
        }
        if (value instanceof List<?> items && schema.get("items") != null) {
            for (int i = 0; i < items.size(); i++) {
                check(asSchema(schema.get("items")), items.get(i), at + "[" + i + "]", found);
            }
        }
        if (value instanceof Map<?, ?> members) {
            members(schema, members, at, found);
        }
    }

    private void members(
            Map<String, Object> schema, Map<?, ?> members, String at, List<String> found) {
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(name -> !members.containsKey(name))
                    .forEach(name -> found.add("%s.%s is missing".formatted(at, name)));
        }
        Map<String, Object> properties =
                schema.get("properties") == null ? Map.of() : asSchema(schema.get("properties"));
        Object others = schema.get("additionalProperties");
        boolean closed = schema.containsKey("properties") && others == null;
        members.forEach(
                (name, value) -> {
                    String below = at + "." + name;
                    if (properties.containsKey(name)) {
                        check(asSchema(properties.get(name)), value, below, found);
                    } else if (closed) {
                        found.add(below + " is not described");
                    } else if (others != null) {
                        check(asSchema(others), value, below, found);
                    }
                });
    }

    private static boolean isTime(String text) {
        try {
            Instant.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** A number that may have a fraction may also have none. */
    private static Set<String> types(Object type) {
        Set<String> types = new HashSet<>();
        if (type instanceof List<?> several) {
            several.forEach(each -> types.add(String.valueOf(each)));
        } else {
            types.add(String.valueOf(type));
        }
        if (types.contains("number")) {
            types.add("integer");
        }
        return types;
    }

    private static String typeOf(@Nullable Object value) {
        return switch (value) {
            case null -> "null";
            case String _ -> "string";
            case Boolean _ -> "boolean";
            case List<?> _ -> "array";
            case Map<?, ?> _ -> "object";
            case Integer _, Long _ -> "integer";
            default -> "number";
        };
    }

    @SuppressWarnings("unchecked") // schemas are written by Schemas only
    private static Map<String, Object> asSchema(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }
}
