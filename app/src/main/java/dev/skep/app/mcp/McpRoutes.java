package dev.skep.app.mcp;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.mcp.CallInput;
import dev.skep.transport.mcp.McpAnswer;
import dev.skep.transport.mcp.McpMessage;
import dev.skep.transport.mcp.McpServer;
import dev.skep.transport.mcp.ToolDescription;
import dev.skep.transport.mcp.ToolOutcome;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * MCP's streamable HTTP transport without sessions, in the revisions with a handshake and in the
 * one without: each message is a POST that is answered with JSON; there is no stream from us to the
 * client, so GET and DELETE are refused.
 */
public final class McpRoutes implements Route.Source {
    private final McpToolCaller mcpToolCaller;
    private final McpServer server;

    /**
     * Asks nothing yet.
     *
     * @param routes all routes of the process, once there are all
     * @param secrets seals what clients bring back; opened when it is needed first
     */
    public McpRoutes(
            Supplier<Router> routes,
            Supplier<SealedSecrets> secrets,
            InstantSource clock,
            String version) {
        this.mcpToolCaller =
                new McpToolCaller(new RouteCaller(routes), new PersonsYes(secrets, clock));
        this.server =
                new McpServer(
                        version,
                        "Operates a fleet of hosts with AI agents. Ids come from the list tools; a job is created with create_job and followed with get_job.");
    }

    @Override
    public List<Route> routes() {
        Access anybodyKnown = Access.operators(Role.VIEWER).orAgents();
        return List.of(
                new Route(HttpMethod.POST, "/mcp", anybodyKnown, OrgScope.CALLER, this::answer)
                        .described(
                                Operation.of(
                                                "The fleet for MCP clients (JSON-RPC): hosts, agents, nodes, jobs, mail, within what the key may do.")
                                        .answers(Object.class)
                                        .answersNothing(202)));
    }

    private Response answer(Request request) {
        return switch (McpMessage.read(request.body().bytes())) {
            case McpMessage.Unusable(var why) -> Response.json(400, why);
            case McpMessage.Notice _ -> new Response(202, "", Map.of(), out -> {});
            case McpMessage.Request asked -> {
                McpAnswer answer = server.answer(asked, request.headers(), new Offered(request));
                yield Response.json(answer.status(), answer.message());
            }
        };
    }

    /** The tools whose routes this process has, called as whoever sent the request. */
    private final class Offered implements McpServer.Tools {
        private final Request request;

        Offered(Request request) {
            this.request = request;
        }

        @Override
        public List<ToolDescription> offered() {
            return FleetTools.ALL.stream()
                    .filter(mcpToolCaller::offers)
                    .map(mcpToolCaller::described)
                    .toList();
        }

        @Override
        public ToolOutcome call(ToolDescription tool, JsonFields arguments, CallInput input) {
            return mcpToolCaller.call(
                    FleetTools.ALL.stream()
                            .filter(each -> each.described().name().equals(tool.name()))
                            .findFirst()
                            .orElseThrow(),
                    arguments,
                    input,
                    request);
        }
    }
}
