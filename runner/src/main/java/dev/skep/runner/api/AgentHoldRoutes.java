package dev.skep.runner.api;

import dev.skep.runner.AgentService;
import dev.skep.runner.hold.AgentHold;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    public record LocalHold(String hub, String id, String by, String reason, Instant since) {}

    private record LocalHolds(List<LocalHold> holds) {}

    private record StopAllHere(@Nullable String reason) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read(PATH, this::list)
                        .described(
                                Operation.of("What stops all agents of this host.")
                                        .answers(LocalHolds.class)),
                AgentRoutes.act(PATH, this::stopAll)
                        .described(
                                RunnerResponses.action("Has all agents of this host stand still.")
                                        .takes(StopAllHere.class)),
                new Route(
                                HttpMethod.DELETE,
                                PATH,
                                Access.local(),
                                OrgScope.NONE,
                                request ->
                                        RunnerResponses.of(agentService.liftAll(request.actor())))
                        .described(
                                RunnerResponses.action(
                                        "Lifts whatever stops all agents of this host, whoever wanted it.")));
    }

    private Response list(Request request) {
        return Response.json(
                new LocalHolds(agentService.holds().stream().map(AgentHoldRoutes::shown).toList()));
    }

    private static LocalHold shown(AgentHold hold) {
        return new LocalHold(hold.holder(), hold.id(), hold.by(), hold.reason(), hold.since());
    }

    private Response stopAll(Request request) {
        String reason = request.fields().only("reason").optionalText("reason").orElse("").strip();
        return RunnerResponses.of(agentService.stopAll(request.actor(), OWNER, reason));
    }
}
