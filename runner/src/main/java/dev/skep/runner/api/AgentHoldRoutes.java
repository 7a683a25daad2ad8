package dev.skep.runner.api;

import dev.skep.runner.AgentService;
import dev.skep.runner.hold.AgentHold;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;

/** What stops all agents of this host, which its owner can always lift here. */
public final class AgentHoldRoutes implements Route.Source {
    private static final String PATH = "/api/runner/hold";
    private static final String OWNER = "this host's owner";

    private final AgentService agentService;

    public AgentHoldRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /**
     * One that is in force.
     *
     * @param hub the address of the hub that wants it; empty for this host's owner
     */
    public record Hold(String hub, String id, String by, String reason, String since) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read(PATH, this::list),
                AgentRoutes.act(PATH, this::stopAll),
                new Route(
                        HttpMethod.DELETE,
                        PATH,
                        Access.local(),
                        OrgScope.NONE,
                        request -> RunnerResponses.of(agentService.liftAll(request.actor()))));
    }

    private Response list(Request request) {
        return RunnerResponses.list(
                "holds", agentService.holds().stream().map(AgentHoldRoutes::shown).toList());
    }

    private static Hold shown(AgentHold hold) {
        return new Hold(
                hold.holder(), hold.id(), hold.by(), hold.reason(), hold.since().toString());
    }

    private Response stopAll(Request request) {
        String reason = request.fields().only("reason").optionalText("reason").orElse("").strip();
        return RunnerResponses.of(agentService.stopAll(request.actor(), OWNER, reason));
    }
}
