package dev.skep.transport.mcp;

import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What clients are told of a tool.
 *
 * @param readOnly whether calling it changes nothing
 */
public record ToolDescription(
        String name, String description, List<ToolArgument> arguments, boolean readOnly) {
    public ToolDescription {
        arguments = List.copyOf(arguments);
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
                Map.of("readOnlyHint", readOnly));
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
