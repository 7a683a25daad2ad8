package dev.skep.supervisor.routes;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.dispatch.view.JobFilter;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.Sources;
import dev.skep.supervisor.view.AgentView;
import dev.skep.supervisor.view.ConnectionView;
import dev.skep.supervisor.view.DispatchReader;
import dev.skep.supervisor.view.FleetReader;
import dev.skep.supervisor.view.HostView;
import dev.skep.supervisor.view.JobView;
import dev.skep.supervisor.view.NodeView;
import dev.skep.supervisor.view.ServerView;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One host, one agent, one node, with what belongs to it. */
final class DetailRoutes implements Route.Source {
    private static final int RECENT = 50;
    private static final int MOST = 500;

    private final Sources sources;
    private final FleetReader fleet;
    private final Optional<DispatchReader> dispatch;
    private final AgentStore agents;

    DetailRoutes(
            Sources sources,
            FleetReader fleet,
            Optional<DispatchReader> dispatch,
            AgentStore agents) {
        this.sources = sources;
        this.fleet = fleet;
        this.dispatch = dispatch;
        this.agents = agents;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                ViewRoute.get(
                        "/hosts/{host}",
                        Operation.of("What the page of a host shows.").answers(HostDetail.class),
                        this::host),
                ViewRoute.get(
                        "/agents/{agent}",
                        Operation.of("What the page of an agent shows.").answers(AgentDetail.class),
                        this::agent),
                ViewRoute.get(
                        "/nodes/{host}/{node}",
                        ViewRoute.paged("What the page of a node shows.").answers(NodeDetail.class),
                        this::node));
    }

    private record HostDetail(
            HostView host,
            List<AgentView> agents,
            List<ServerView> servers,
            List<JobView> jobs,
            List<NodeView> nodes,
            List<HostConnection> connections) {}

    private HostDetail host(Request request) {
        Principal who = request.principal();
        String id = request.parameter("host");
        HostView host = fleet.host(who, id).orElseThrow(() -> ViewRoute.none("host", id));
        return new HostDetail(
                host,
                fleet.agents(who).stream().filter(a -> a.host().equals(id)).toList(),
                dispatch.map(d -> d.servers(who)).orElse(List.of()).stream()
                        .filter(server -> server.host().equals(id))
                        .toList(),
                dispatch.map(d -> d.jobs(who, JobFilter.newest(RECENT).withHost(id)))
                        .orElse(List.of()),
                fleet.nodes(who).stream().filter(node -> node.host().equals(id)).toList(),
                sources.links()
                        .map(l -> l.connections(who, Optional.of(id), RECENT))
                        .orElse(List.of()));
    }

    private record AgentDetail(
            AgentView agent,
            @Nullable String config,
            @Nullable String path,
            boolean controllable) {}

    private AgentDetail agent(Request request) {
        String id = request.parameter("agent");
        AgentView view =
                fleet.agent(request.principal(), id).orElseThrow(() -> ViewRoute.none("agent", id));
        Optional<Agent> stored = agents.byId(request.principal(), new AgentId(id));
        return new AgentDetail(
                view,
                stored.map(Agent::config).orElse(null),
                stored.map(Agent::path).orElse(null),
                sources.controls().isPresent());
    }

    private record NodeDetail(NodeView node, KeysetPage<ConnectionView> connections) {}

    private NodeDetail node(Request request) {
        Principal who = request.principal();
        String host = request.parameter("host");
        String id = request.parameter("node");
        NodeView found =
                fleet.nodes(who).stream()
                        .filter(node -> node.host().equals(host) && node.node().equals(id))
                        .findFirst()
                        .orElseThrow(() -> ViewRoute.none("node", id));
        int limit = request.query("limit", RECENT, MOST);
        return new NodeDetail(
                found,
                KeysetPage.of(
                        sources
                                .nodes()
                                .visits(
                                        who,
                                        host,
                                        id,
                                        request.query("before").orElse(""),
                                        limit + 1)
                                .stream()
                                .map(ConnectionView::of)
                                .toList(),
                        limit,
                        ConnectionView::id));
    }
}
