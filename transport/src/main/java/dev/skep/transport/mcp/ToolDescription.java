package dev.skep.transport.mcp;

import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients are told of a tool.
 *
 * @param output the JSON schema of what it answers; empty if that is text
 */
public record ToolDescription(
        String name,
        String description,
        List<ToolArgument> arguments,
        Effect effect,
        Map<String, Object> output) {
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
        output = Map.copyOf(output);
    }

    /** One that does not say yet what it answers. */
    public ToolDescription(
            String name, String description, List<ToolArgument> arguments, Effect effect) {
        this(name, description, arguments, effect, Map.of());
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

    public ToolDescription answering(Map<String, Object> schema) {
        return new ToolDescription(name, description, arguments, effect, schema);
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
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("name", name);
        described.put("description", description);
        described.put("inputSchema", schema);
        if (!output.isEmpty()) {
            described.put("outputSchema", output);
        }
        described.put(
                "annotations",
                Map.of(
                        "readOnlyHint",
                        effect == Effect.READS,
                        "destructiveHint",
                        effect == Effect.CHANGES,
                        "openWorldHint",
                        false));
        return described;
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
