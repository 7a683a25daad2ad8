package dev.skep.supervisor.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Role;
import dev.skep.supervisor.source.AgentControls;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.supervisor.source.ApprovalSource;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What operators do to agents; the rest is in the features' routes. */
final class ActionRoutes implements Route.Source {
    private final Sources sources;
    private final FleetReader fleet;

    ActionRoutes(Sources sources, FleetReader fleet) {
        this.sources = sources;
        this.fleet = fleet;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                post("/agents/{agent}/{action}", this::act),
                post("/approvals/{approval}", this::decide));
    }

    private static Route post(String path, Route.Handler handler) {
        return new Route(
                HttpMethod.POST,
                "/api/orgs/{org}" + path,
                Access.operators(Role.OPERATOR),
                OrgScope.PATH,
                handler);
    }

    private Response act(Request request) {
        String id = request.parameter("agent");
        AgentControls controls = ViewRoute.present(sources.controls(), "agents to steer");
        AgentControls.Action action = action(request.parameter("action"));
        if (fleet.agent(request.principal(), id).isEmpty()) {
            throw ViewRoute.none("agent", id);
        }
        String text = request.fields().only("text").optionalText("text").orElse("");
        return response(controls.act(request.actor(), new AgentId(id), action, text));
    }

    private static Response response(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done() -> Response.json(Map.of("outcome", "done"));
            case Outcome.Queued(String job) ->
                    Response.json(202, Map.of("outcome", "queued", "job", job));
            case Outcome.Refused(String problem) ->
                    throw new SkepException(ErrorCode.CONFLICT, problem);
        };
    }

    private static AgentControls.Action action(String name) {
        return Arrays.stream(AgentControls.Action.values())
                .filter(action -> action.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> ViewRoute.none("action", name));
    }

    private Response decide(Request request) {
        JsonFields fields = request.fields().only("decision", "reason");
        ApprovalSource.Choice choice = choice(fields.text("decision"));
        Optional<String> reason = fields.optionalText("reason");
        if (reason.isPresent() && choice != ApprovalSource.Choice.DENY) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "only a denial has a reason");
        }
        return response(
                ViewRoute.present(sources.approvals(), "approvals")
                        .decide(
                                request.actor(),
                                new ApprovalId(request.parameter("approval")),
                                new ApprovalSource.Answer(choice, reason.orElse(null))));
    }

    private static ApprovalSource.Choice choice(String name) {
        return Arrays.stream(ApprovalSource.Choice.values())
                .filter(choice -> choice.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "field 'decision' must be approve, always or deny"));
    }
}
