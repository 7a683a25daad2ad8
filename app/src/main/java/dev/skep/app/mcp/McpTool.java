package dev.skep.app.mcp;

import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A tool of the MCP server: a route with its arguments.
 *
 * @param path below the caller's org; arguments in braces are put in, the others are sent
 * @param waits whether it polls, if asked to, until the job it shows is over
 */
record McpTool(
        String name,
        String description,
        HttpMethod method,
        String path,
        List<ToolArgument> arguments,
        boolean waits) {
    McpTool {
        arguments = List.copyOf(arguments);
    }

    McpTool(
            String name,
            String description,
            HttpMethod method,
            String path,
            List<ToolArgument> arguments) {
        this(name, description, method, path, arguments, false);
    }

    /** Its description for clients. */
    Map<String, Object> described() {
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
                Map.of("readOnlyHint", method == HttpMethod.GET));
    }

    /** The arguments that were given, each as JSON, checked. */
    Map<String, String> checked(JsonFields given) {
        given.only(arguments.stream().map(ToolArgument::name).toArray(String[]::new));
        Map<String, String> values = new LinkedHashMap<>();
        for (ToolArgument argument : arguments) {
            argument.checked(given).ifPresent(json -> values.put(argument.name(), json));
        }
        return values;
    }
}
