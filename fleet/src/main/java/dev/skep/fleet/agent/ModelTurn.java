package dev.skep.fleet.agent;

import dev.skep.testkit.provider.FakeWire;
import dev.skep.testkit.provider.JsonText;
import dev.skep.testkit.provider.ProviderCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a call tells the model, whatever the wire.
 *
 * @param afterTool whether the last that came is what a tool gave back
 * @param said the last words of a person; empty after a tool
 */
record ModelTurn(boolean afterTool, String said, List<Offered> tools) {
    /**
     * A tool that the model may use.
     *
     * @param namespace what it is in, where names are only unique in one
     * @param inputs the names of what it takes
     */
    record Offered(@Nullable String namespace, String name, Set<String> inputs) {}

    static ModelTurn of(ProviderCall call) {
        FakeWire wire = call.wire();
        Object body = call.body();
        List<Offered> tools = new ArrayList<>();
        if (wire == null) {
            return new ModelTurn(false, "", tools);
        }
        for (Object tool : list(JsonText.at(body, "tools"))) {
            offer(wire, tool, null, tools);
        }
        return switch (wire) {
            case CHAT -> {
                Object last = last(JsonText.at(body, "messages"));
                yield "tool".equals(JsonText.at(last, "role"))
                        ? new ModelTurn(true, "", tools)
                        : new ModelTurn(false, words(JsonText.at(last, "content")), tools);
            }
            case RESPONSES -> {
                Object last = last(JsonText.at(body, "input"));
                yield String.valueOf(JsonText.at(last, "type")).endsWith("_output")
                        ? new ModelTurn(true, "", tools)
                        : new ModelTurn(false, words(JsonText.at(last, "content")), tools);
            }
            case ANTHROPIC -> {
                Object content = JsonText.at(last(JsonText.at(body, "messages")), "content");
                // One message can hold what tools gave back earlier, what a person says, and
                // reminders.
                List<?> parts = list(content).stream().filter(part -> !isReminder(part)).toList();
                yield "tool_result".equals(JsonText.at(last(parts), "type"))
                        ? new ModelTurn(true, "", tools)
                        : new ModelTurn(
                                false,
                                words(parts.isEmpty() ? content : List.of(parts.getLast())),
                                tools);
            }
            case GOOGLE -> {
                Object parts = JsonText.at(last(JsonText.at(body, "contents")), "parts");
                yield list(parts).stream()
                                .anyMatch(part -> JsonText.at(part, "functionResponse") != null)
                        ? new ModelTurn(true, "", tools)
                        : new ModelTurn(false, words(parts), tools);
            }
        };
    }

    /** The first tool of such a name, or of one that a program puts its own words before. */
    Optional<Offered> tool(String... names) {
        for (String name : names) {
            Optional<Offered> found =
                    tools.stream()
                            .filter(
                                    tool ->
                                            tool.name().equals(name)
                                                    || tool.name().endsWith("_" + name))
                            .findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static void offer(
            FakeWire wire, Object tool, @Nullable String namespace, List<Offered> tools) {
        switch (wire) {
            case CHAT -> add(JsonText.at(tool, "function"), "parameters", null, tools);
            case ANTHROPIC -> add(tool, "input_schema", null, tools);
            case RESPONSES -> {
                if ("namespace".equals(JsonText.at(tool, "type"))) {
                    String name = String.valueOf(JsonText.at(tool, "name"));
                    list(JsonText.at(tool, "tools"))
                            .forEach(inner -> offer(wire, inner, name, tools));
                } else {
                    add(tool, "parameters", namespace, tools);
                }
            }
            case GOOGLE ->
                    list(JsonText.at(tool, "functionDeclarations"))
                            .forEach(each -> add(each, "parametersJsonSchema", null, tools));
        }
    }

    private static void add(
            @Nullable Object tool, String schema, @Nullable String namespace, List<Offered> tools) {
        if (JsonText.at(tool, "name") instanceof String name) {
            Set<String> inputs =
                    JsonText.at(tool, schema, "properties") instanceof Map<?, ?> properties
                            ? Set.copyOf(properties.keySet().stream().map(String::valueOf).toList())
                            : Set.of();
            tools.add(new Offered(namespace, name, inputs));
        }
    }

    private static boolean isReminder(Object part) {
        return JsonText.at(part, "text") instanceof String text && text.startsWith("<system");
    }

    /** Of a text, or of a list of parts of which some are texts. */
    private static String words(@Nullable Object content) {
        if (content instanceof String text) {
            return text;
        }
        StringBuilder words = new StringBuilder();
        for (Object part : list(content)) {
            if (JsonText.at(part, "text") instanceof String text) {
                words.append(text).append('\n');
            }
        }
        return words.toString();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> all ? all : List.of();
    }

    private static @Nullable Object last(@Nullable Object value) {
        List<?> all = list(value);
        return all.isEmpty() ? null : all.getLast();
    }
}
