package dev.skep.app.mcp;

import dev.skep.transport.mcp.ToolArgument;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.route.HttpMethod;
import java.util.List;

/**
 * A tool of the fleet's MCP server: a route with its arguments.
 *
 * @param path below the caller's org; arguments in braces are put in, the others are sent
 * @param waits whether it polls, if asked to, until the job it shows is over
 */
record McpTool(ToolDescription described, HttpMethod method, String path, boolean waits) {
    McpTool(
            String name,
            String description,
            HttpMethod method,
            String path,
            List<ToolArgument> arguments,
            boolean waits) {
        this(
                new ToolDescription(name, description, arguments, method == HttpMethod.GET),
                method,
                path,
                waits);
    }

    McpTool(
            String name,
            String description,
            HttpMethod method,
            String path,
            List<ToolArgument> arguments) {
        this(name, description, method, path, arguments, false);
    }

    List<ToolArgument> arguments() {
        return described.arguments();
    }
}
