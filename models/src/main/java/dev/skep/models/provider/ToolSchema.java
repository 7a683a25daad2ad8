package dev.skep.models.provider;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import dev.skep.models.ToolOffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The schema of a tool's arguments as each provider takes it: as it was written, but for Google,
 * which knows a part of JSON schema only and refuses a request with any other word.
 */
final class ToolSchema {
    /** What is nested deeper is any text. */
    private static final int DEEPEST = 5;

    /** A schema that refers to itself in many places would grow without end. */
    private static final int MOST_ELEMENTS = 300;

    private static final JsonMapper JSON = JsonMapper.shared();

    private final boolean plain;
    private final Map<String, JsonNode> definitions = new LinkedHashMap<>();
    private int elements;

    private ToolSchema(JsonNode root, ProviderProtocol dialect) {
        this.plain = dialect == ProviderProtocol.GOOGLE;
        for (String place : List.of("$defs", "definitions")) {
            root.path(place)
                    .properties()
                    .forEach(
                            each ->
                                    definitions.put(
                                            "#/%s/%s".formatted(place, each.getKey()),
                                            each.getValue()));
        }
    }

    static ToolSpecification specification(ToolOffer offer, ProviderProtocol dialect) {
        return ToolSpecification.builder()
                .name(offer.name())
                .description(offer.description())
                .parameters(parameters(offer.schema(), dialect))
                .build();
    }

    private static JsonObjectSchema parameters(String schema, ProviderProtocol dialect) {
        JsonNode root;
        try {
            root = JSON.readTree(schema);
        } catch (JacksonException notJson) {
            root = JSON.createObjectNode();
        }
        return new ToolSchema(root, dialect).object(root, 0);
    }

    private JsonObjectSchema object(JsonNode node, int depth) {
        var properties = new LinkedHashMap<String, JsonSchemaElement>();
        node.path("properties")
                .properties()
                .forEach(
                        each -> properties.put(each.getKey(), element(each.getValue(), depth + 1)));
        var builder =
                JsonObjectSchema.builder()
                        .addProperties(properties)
                        .required(
                                texts(node.path("required")).stream()
                                        .filter(properties::containsKey)
                                        .toList());
        if (description(node) != null) {
            builder.description(description(node));
        }
        return builder.build();
    }

    private JsonSchemaElement element(JsonNode written, int depth) {
        JsonNode node = resolved(written);
        if (!plain && !hasReference(node, 0)) {
            return JsonRawSchema.from(node.toString());
        }
        if (depth > DEEPEST || ++elements > MOST_ELEMENTS) {
            return text(node);
        }
        if (node.path("enum").isArray()) {
            return JsonEnumSchema.builder()
                    .enumValues(texts(node.path("enum")))
                    .description(description(node))
                    .build();
        }
        for (String either : List.of("anyOf", "oneOf")) {
            if (node.path(either).isArray()) {
                return anyOf(node, node.path(either), depth);
            }
        }
        return switch (type(node)) {
            case "object" -> object(node, depth);
            case "array" ->
                    JsonArraySchema.builder()
                            .items(element(node.path("items"), depth + 1))
                            .description(description(node))
                            .build();
            case "integer" -> JsonIntegerSchema.builder().description(description(node)).build();
            case "number" -> JsonNumberSchema.builder().description(description(node)).build();
            case "boolean" -> JsonBooleanSchema.builder().description(description(node)).build();
            default -> text(node);
        };
    }

    private JsonSchemaElement anyOf(JsonNode node, JsonNode choices, int depth) {
        List<JsonSchemaElement> each = new ArrayList<>();
        for (JsonNode choice : choices) {
            if (!type(choice).equals("null")) {
                each.add(element(choice, depth + 1));
            }
        }
        return switch (each.size()) {
            case 0 -> text(node);
            case 1 -> each.getFirst();
            default -> JsonAnyOfSchema.builder().anyOf(each).description(description(node)).build();
        };
    }

    private JsonNode resolved(JsonNode node) {
        JsonNode there = node;
        for (int step = 0; step < DEEPEST && there.path("$ref").isString(); step++) {
            there =
                    definitions.getOrDefault(
                            there.path("$ref").asString(), JSON.createObjectNode());
        }
        return there;
    }

    private static boolean hasReference(JsonNode node, int depth) {
        if (depth > 32 || node.has("$ref")) {
            return true;
        }
        for (JsonNode child : node) {
            if (hasReference(child, depth + 1)) {
                return true;
            }
        }
        return false;
    }

    private static JsonSchemaElement text(JsonNode node) {
        return JsonStringSchema.builder().description(description(node)).build();
    }

    /** The type, or the first that is not null of several. */
    private static String type(JsonNode node) {
        JsonNode type = node.path("type");
        if (type.isArray()) {
            return texts(type).stream()
                    .filter(each -> !each.equals("null"))
                    .findFirst()
                    .orElse("string");
        }
        return type.isString() ? type.asString() : node.has("properties") ? "object" : "string";
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.isString() ? each.asString() : each.toString()));
        return texts;
    }

    private static @Nullable String description(JsonNode node) {
        return node.path("description").isString() ? node.path("description").asString() : null;
    }
}
