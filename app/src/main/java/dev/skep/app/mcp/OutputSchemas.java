package dev.skep.app.mcp;

import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Schemas;
import dev.skep.transport.describe.Shape;
import dev.skep.transport.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What tools answer, as JSON schemas that stand for themselves: what their routes say of their
 * answers. Clients check answers against them.
 */
final class OutputSchemas {
    private static final String COMPONENTS = "#/components/schemas/";
    private static final String OWN = "#/$defs/";

    private OutputSchemas() {}

    /** Empty where the route does not say what it answers. */
    static Map<String, Object> of(McpTool tool, Route route) {
        Schemas schemas = new Schemas();
        List<Map<String, Object>> answers =
                route.description().map(Operation::answers).orElse(Map.of()).entrySet().stream()
                        .filter(each -> each.getKey() / 100 == 2)
                        .map(each -> each.getValue().shape())
                        .filter(Objects::nonNull)
                        .map(Shape.class::cast)
                        .distinct()
                        .map(schemas::of)
                        .toList();
        if (answers.isEmpty()) {
            return Map.of();
        }
        Map<String, Object> root =
                tool.waits()
                        ? withOutput(answers.getFirst())
                        : answers.size() == 1
                                ? schemas.resolve(answers.getFirst())
                                : Map.of("type", "object", "anyOf", answers);
        if (!"object".equals(root.get("type"))) {
            return Map.of();
        }
        Map<String, Object> schema = new LinkedHashMap<>(root);
        if (!schemas.components().isEmpty()) {
            schema.put("$defs", schemas.components());
        }
        return own(schema);
    }

    /** The job that was waited for, and what it printed. */
    private static Map<String, Object> withOutput(Map<String, Object> job) {
        return Map.of(
                "type",
                "object",
                "properties",
                Map.of("job", job, "output", Map.of("type", "string")),
                "required",
                List.of("job", "output"));
    }

    /** The same with references that stay within the schema. */
    private static Map<String, Object> own(Map<?, ?> schema) {
        Map<String, Object> own = new LinkedHashMap<>();
        schema.forEach((name, value) -> own.put((String) name, ownValue(value)));
        return own;
    }

    private static Object ownValue(Object value) {
        return switch (value) {
            case Map<?, ?> map -> own(map);
            case List<?> list -> list.stream().map(OutputSchemas::ownValue).toList();
            case String text when text.startsWith(COMPONENTS) ->
                    OWN + text.substring(COMPONENTS.length());
            default -> value;
        };
    }
}
