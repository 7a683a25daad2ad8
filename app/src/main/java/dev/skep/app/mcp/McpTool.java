package dev.skep.app.mcp;

import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.mcp.ToolDescription.Effect;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A tool of the fleet's MCP server: a route with its arguments.
 *
 * @param path below the caller's org; arguments in braces are put in, the others are sent
 * @param renamed names of arguments that the route has another name for
 * @param waits whether it polls, if asked to, until the job it shows is over
 * @param yes what a person must have said yes to first
 */
record McpTool(
        ToolDescription described,
        HttpMethod method,
        String path,
        Map<String, String> renamed,
        boolean waits,
        Yes yes) {

    /** Decides whether a call needs a person's yes. */
    @FunctionalInterface
    interface Yes {
        Yes NOT_NEEDED = (_, _) -> Optional.empty();

        /**
         * What a person is asked; empty if nobody need be.
         *
         * @param given the arguments, as texts
         * @param get the fields that a path below the caller's org answers with
         */
        Optional<String> question(Map<String, String> given, Function<String, JsonFields> get);
    }

    /** A tool that changes nothing. */
    static McpTool reads(String name, String description, String path, ToolArgument... arguments) {
        return new McpTool(
                new ToolDescription(name, description, List.of(arguments), Effect.READS),
                HttpMethod.GET,
                path,
                Map.of(),
                false,
                Yes.NOT_NEEDED);
    }

    /** A tool that does something. */
    static McpTool acts(
            String name,
            String description,
            Effect effect,
            HttpMethod method,
            String path,
            ToolArgument... arguments) {
        return new McpTool(
                new ToolDescription(name, description, List.of(arguments), effect),
                method,
                path,
                Map.of(),
                false,
                Yes.NOT_NEEDED);
    }

    /** The same, whose argument is called {@code query} by its route. */
    McpTool sending(String argument, String query) {
        return new McpTool(described, method, path, Map.of(argument, query), waits, yes);
    }

    McpTool waiting() {
        return new McpTool(described, method, path, renamed, true, yes);
    }

    McpTool after(Yes yes) {
        return new McpTool(described, method, path, renamed, waits, yes);
    }

    List<ToolArgument> arguments() {
        return described.arguments();
    }
}
