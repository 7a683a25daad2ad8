package dev.skep.transport.openapi;

import dev.skep.transport.describe.Schemas;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes up values that match a schema, which show a reader what to expect. */
final class Examples {
    private static final int DEEPEST = 5;
    private static final String ID = "01K9ZB4T6Q0V3R8M2N5X7Y1CDE";
    private static final String TIME = "2026-11-15T08:00:00.000000Z";

    /** What texts of these names look like. */
    private static final Map<String, String> TEXTS =
            Map.ofEntries(
                    Map.entry("name", "build-1"),
                    Map.entry("hostname", "build-1"),
                    Map.entry("username", "ada"),
                    Map.entry("agent", "ada"),
                    Map.entry("org", "default"),
                    Map.entry("url", "https://hub.example.org"),
                    Map.entry("type", "shell"),
                    Map.entry("status", "succeeded"),
                    Map.entry("model", "claude"),
                    Map.entry("code", "not_found"),
                    Map.entry("title", "not found"),
                    Map.entry("detail", "there is no host x; check the id"));

    private final Schemas schemas;

    Examples(Schemas schemas) {
        this.schemas = schemas;
    }

    Object of(Map<String, Object> schema) {
        return of(schema, "", 0);
    }

    private Object of(Map<String, Object> given, String name, int depth) {
        Map<String, Object> schema = schemas.resolve(given);
        if (schema.get("anyOf") instanceof List<?> choices) {
            return of(asSchema(choices.getFirst()), name, depth);
        }
        if (schema.get("enum") instanceof List<?> words) {
            return String.valueOf(words.getFirst());
        }
        return switch (type(schema)) {
            case "string" -> text(schema, name);
            case "integer" -> name.equals("status") ? 404 : 1;
            case "number" -> 0.5;
            case "boolean" -> true;
            case "array" ->
                    depth > DEEPEST
                            ? List.of()
                            : List.of(of(asSchema(schema.get("items")), singular(name), depth + 1));
            case "object" -> object(schema, depth);
            default -> Map.of();
        };
    }

    private Map<String, Object> object(Map<String, Object> schema, int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach(
                    (name, each) -> {
                        String word = String.valueOf(name);
                        if (depth <= DEEPEST || isRequired(schema, word)) {
                            object.put(word, of(asSchema(each), word, depth + 1));
                        }
                    });
        } else if (schema.containsKey("additionalProperties") && depth <= DEEPEST) {
            Map<String, Object> each = asSchema(schema.get("additionalProperties"));
            object.put("team", of(each, "", depth + 1));
        }
        return object;
    }

    private static boolean isRequired(Map<String, Object> schema, String name) {
        return schema.get("required") instanceof List<?> names && names.contains(name);
    }

    private static String type(Map<String, Object> schema) {
        return schema.get("type") instanceof List<?> types
                ? String.valueOf(types.getFirst())
                : String.valueOf(schema.get("type"));
    }

    private static String text(Map<String, Object> schema, String name) {
        if ("date-time".equals(schema.get("format"))) {
            return TIME;
        }
        String lower = name.toLowerCase(Locale.ROOT);
        boolean isId = lower.equals("id") || name.endsWith("Id");
        return isId ? ID : TEXTS.getOrDefault(lower, name.isEmpty() ? "red" : name);
    }

    private static String singular(String name) {
        return name.endsWith("s") ? name.substring(0, name.length() - 1) : name;
    }

    @SuppressWarnings("unchecked") // schemas are written by Schemas only
    private static Map<String, Object> asSchema(@Nullable Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }
}
