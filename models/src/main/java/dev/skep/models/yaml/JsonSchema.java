package dev.skep.models.yaml;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The JSON schema of a record, for editors: made from what the binder reads, so never behind it.
 */
public final class JsonSchema {
    private JsonSchema() {}

    public static String of(Class<?> type, String title) {
        return """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "%s",
        %s
        }
        """
                .formatted(title, object(type, "  "));
    }

    private static String object(Class<?> type, String indent) {
        List<String> required = new ArrayList<>();
        List<String> properties = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String key = YamlKeys.of(component);
            if (isRequired(component)) {
                required.add('"' + key + '"');
            }
            properties.add(
                    "%s  \"%s\": { %s }"
                            .formatted(indent, key, property(component, indent + "  ")));
        }
        return """
        %1$s"type": "object",
        %1$s"additionalProperties": false,
        %1$s"required": [%2$s],
        %1$s"properties": {
        %3$s
        %1$s}"""
                .formatted(indent, String.join(", ", required), String.join(",\n", properties));
    }

    private static boolean isRequired(RecordComponent component) {
        return !YamlKeys.mayBeMissing(component)
                && component.getAnnotation(DefaultsTo.class) == null
                && component.getType() != List.class
                && component.getType() != java.util.Map.class;
    }

    private static String property(RecordComponent component, String indent) {
        StringBuilder json = new StringBuilder(shape(component.getGenericType(), indent));
        Description description = component.getAnnotation(Description.class);
        if (description != null) {
            json.append(", \"description\": \"").append(description.value()).append('"');
        }
        DefaultsTo standard = component.getAnnotation(DefaultsTo.class);
        if (standard != null) {
            boolean bare = component.getType().isPrimitive();
            String quote = bare ? "" : "\"";
            json.append(", \"default\": ").append(quote).append(standard.value()).append(quote);
        }
        return json.toString();
    }

    private static String shape(Type type, String indent) {
        return switch (type) {
            case ParameterizedType list when list.getRawType() == List.class ->
                    "\"type\": \"array\", \"items\": { %s }"
                            .formatted(shape(list.getActualTypeArguments()[0], indent));
            case ParameterizedType map ->
                    "\"type\": \"object\", \"additionalProperties\": { %s }"
                            .formatted(shape(map.getActualTypeArguments()[1], indent));
            case Class<?> single -> shape(single, indent);
            default -> throw new IllegalStateException("no schema for " + type);
        };
    }

    private static String shape(Class<?> type, String indent) {
        if (type.isRecord() && !YamlScalars.isScalar(type)) {
            return "\n" + object(type, indent + "  ") + "\n" + indent;
        }
        if (type.isEnum()) {
            return "\"enum\": [%s]"
                    .formatted(
                            Arrays.stream(type.getEnumConstants())
                                    .map(c -> '"' + YamlScalars.word(c) + '"')
                                    .collect(Collectors.joining(", ")));
        }
        if (type == boolean.class || type == Boolean.class) {
            return "\"type\": \"boolean\"";
        }
        if (type == int.class
                || type == long.class
                || type == Integer.class
                || type == Long.class) {
            return "\"type\": \"integer\"";
        }
        if (type == Duration.class) {
            return "\"type\": \"string\", \"pattern\": \"^[0-9]+ *(ms|s|m|h|d)$\"";
        }
        return type == String.class ? "\"type\": \"string\"" : "\"type\": [\"string\", \"number\"]";
    }
}
