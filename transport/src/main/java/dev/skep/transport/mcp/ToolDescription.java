package dev.skep.transport.mcp;

import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What clients are told of a tool. */
public record ToolDescription(
        String name, String description, List<ToolArgument> arguments, Effect effect) {
    /** What calling a tool does to the world. */
    public enum Effect {
        READS,
        /** Adds something, and takes nothing away. */
        ADDS,
        /** May end, change or cost something. */
        CHANGES
    }

    public ToolDescription {
        arguments = List.copyOf(arguments);
    }

    /**
     * A tool that changes nothing, or only adds.
     *
     * @param readOnly whether calling it changes nothing
     */
    public ToolDescription(
            String name, String description, List<ToolArgument> arguments, boolean readOnly) {
        this(name, description, arguments, readOnly ? Effect.READS : Effect.ADDS);
    }

    /** As MCP has it. */
    public Map<String, Object> described() {
        Map<String, Object> properties = new LinkedHashMap<>();
        arguments.forEach(argument -> properties.put(argument.name(), argument.schema()));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put(
                "required",
                arguments.stream().filter(ToolArgument::required).map(ToolArgument::name).toList());
        schema.put("additionalProperties", false);
        return Map.of(
                "name",
                name,
                "description",
                description,
                "inputSchema",
                schema,
                "annotations",
                Map.of(
                        "readOnlyHint",
                        effect == Effect.READS,
                        "destructiveHint",
                        effect == Effect.CHANGES,
                        "openWorldHint",
                        false));
    }

    /** The arguments that were given, each as JSON, checked. */
    public Map<String, String> checked(JsonFields given) {
        given.only(arguments.stream().map(ToolArgument::name).toArray(String[]::new));
        Map<String, String> values = new LinkedHashMap<>();
        for (ToolArgument argument : arguments) {
            argument.checked(given).ifPresent(json -> values.put(argument.name(), json));
        }
        return values;
    }
}
