package dev.skep.app.mcp;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * MCP's streamable HTTP transport without sessions: each message is a POST that is answered with
 * JSON; there is no stream from us to the client, so GET and DELETE are refused.
 */
public final class McpRoutes implements Route.Source {
    /** The first is offered to clients that ask for one we do not know. */
    private static final List<String> REVISIONS = List.of("2025-06-18", "2025-11-25", "2025-03-26");

    private static final int NOT_JSON = -32_700;
    private static final int NO_REQUEST = -32_600;
    private static final int NO_METHOD = -32_601;
    private static final int BAD_PARAMETERS = -32_602;

    private final McpToolCaller mcpToolCaller;
    private final String version;

    /**
     * Asks nothing yet.
     *
     * @param routes all routes of the process, once there are all
     */
    public McpRoutes(Supplier<Router> routes, String version) {
        this.mcpToolCaller = new McpToolCaller(routes);
        this.version = version;
    }

    @Override
    public List<Route> routes() {
        Access anybodyKnown = Access.operators(Role.VIEWER).orAgents();
        return List.of(
                new Route(HttpMethod.POST, "/mcp", anybodyKnown, OrgScope.CALLER, this::answer));
    }

    private Response answer(Request request) {
        JsonFields message;
        try {
            message = request.fields();
        } catch (SkepException notAnObject) {
            return Response.json(400, error("null", NOT_JSON, "send one JSON-RPC message"));
        }
        String method = message.shown("method");
        Optional<String> id = message.json("id");
        if (!message.shown("jsonrpc").equals("2.0")) {
            return Response.json(400, error(id.orElse("null"), NO_REQUEST, "jsonrpc must be 2.0"));
        }
        // Notifications, and answers to what we never ask, want no answer.
        return id.isEmpty() || method.isEmpty()
                ? new Response(202, "", Map.of(), out -> {})
                : Response.json(answered(id.get(), method, message, request));
    }

    private Map<String, Object> answered(
            String id, String method, JsonFields message, Request request) {
        JsonFields parameters =
                message.object("params").orElseGet(() -> JsonFields.of(new byte[0]));
        return switch (method) {
            case "initialize" -> result(id, welcome(parameters.shown("protocolVersion")));
            case "ping" -> result(id, Map.of());
            case "tools/list" ->
                    result(
                            id,
                            Map.of(
                                    "tools",
                                    FleetTools.ALL.stream()
                                            .filter(mcpToolCaller::offers)
                                            .map(McpTool::described)
                                            .toList()));
            case "tools/call" -> called(id, parameters, request);
            default -> error(id, NO_METHOD, "there is no method " + method);
        };
    }

    private Map<String, Object> welcome(String wanted) {
        return Map.of(
                "protocolVersion",
                REVISIONS.contains(wanted) ? wanted : REVISIONS.getFirst(),
                "capabilities",
                Map.of("tools", Map.of("listChanged", false)),
                "serverInfo",
                Map.of("name", "skep", "title", "Skep", "version", version),
                "instructions",
                "Operates a fleet of hosts with AI agents. Ids come from the list tools; a job is created with create_job and followed with get_job.");
    }

    private Map<String, Object> called(String id, JsonFields parameters, Request request) {
        String name = parameters.shown("name");
        Optional<McpTool> tool =
                FleetTools.ALL.stream()
                        .filter(each -> each.name().equals(name))
                        .filter(mcpToolCaller::offers)
                        .findFirst();
        if (tool.isEmpty()) {
            return error(id, BAD_PARAMETERS, "there is no tool " + name);
        }
        JsonFields arguments =
                parameters.object("arguments").orElseGet(() -> JsonFields.of(new byte[0]));
        return result(id, mcpToolCaller.call(tool.get(), arguments, request));
    }

    private static Map<String, Object> result(String id, Map<String, Object> result) {
        return message(id, "result", result);
    }

    private static Map<String, Object> error(String id, int code, String message) {
        return message(id, "error", Map.of("code", code, "message", message));
    }

    private static Map<String, Object> message(String id, String kind, Map<String, Object> body) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        message.put("id", Json.raw(id));
        message.put(kind, body);
        return message;
    }
}
