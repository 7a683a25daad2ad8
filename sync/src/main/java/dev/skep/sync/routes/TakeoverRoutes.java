package dev.skep.sync.routes;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Role;
import dev.skep.sync.hub.Takeovers;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Fields;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Reply;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An operator gives an agent to another host, on a hub. */
public final class TakeoverRoutes implements Route.Source {
    private final Takeovers takeovers;

    public TakeoverRoutes(Takeovers takeovers) {
        this.takeovers = takeovers;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                        Method.POST,
                        "/api/orgs/{org}/agents/{agent}/adopt",
                        Access.operators(Role.ADMIN),
                        OrgScope.PATH,
                        this::adopt));
    }

    /** With a generation, says here what another hub was told. */
    private Reply adopt(Request request) {
        Fields fields = request.fields().only("host", "generation");
        HostId to = new HostId(fields.text("host"));
        String agent = request.parameter("agent");
        Optional<String> confirmed = fields.optionalText("generation");
        long generation;
        if (confirmed.isPresent()) {
            generation = Long.parseLong(confirmed.get());
            takeovers.confirm(request.org(), to, agent, generation);
        } else {
            generation = takeovers.grant(request.org(), to, agent);
        }
        return Reply.json(
                Map.of(
                        "agent",
                        agent,
                        "host",
                        to.value(),
                        "generation",
                        Long.toString(generation)));
    }
}
