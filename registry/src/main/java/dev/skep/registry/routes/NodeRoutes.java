package dev.skep.registry.routes;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Role;
import dev.skep.registry.node.Node;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.table.NodeDetails;
import dev.skep.registry.table.NodeListStore;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The roster for clients that poll instead of keeping a socket open. */
public final class NodeRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/nodes";
    private static final String ONE = ALL + "/{host}/{node}";
    private static final int RECENT = 20;
    private static final int MOST = 500;

    private final NodeList list;
    private final Function<OrgId, List<Node>> live;
    private final NodeRemoval removal;

    /**
     * Reads the stored nodes.
     *
     * @param live the nodes of a registry that runs, which knows more recently who is there
     */
    public NodeRoutes(NodeList list, Function<OrgId, List<Node>> live, NodeRemoval removal) {
        this.list = list;
        this.live = live;
        this.removal = removal;
    }

    @Override
    public List<Route> routes() {
        Access see = Access.operators(Role.VIEWER);
        return List.of(
                new Route(HttpMethod.GET, ALL, see, OrgScope.PATH, this::list)
                        .described(
                                Operation.of(
                                                "Nodes of all hosts with their counts; `stored` is false for one that its registry has in memory only.")
                                        .answers(NodeRoster.class)),
                new Route(HttpMethod.GET, ONE, see, OrgScope.PATH, this::show)
                        .described(
                                Operation.of(
                                                "One node, and when it came and went: `limit` lines `before` an id.")
                                        .query("before", String.class, "id of the last known line")
                                        .query("limit", int.class, "1 to 500, usually 20")
                                        .answers(NodeWithVisits.class)),
                new Route(
                                HttpMethod.DELETE,
                                ONE,
                                Access.operators(Role.OPERATOR),
                                OrgScope.PATH,
                                this::remove)
                        .described(
                                Operation.of(
                                                "Forgets a node that is offline, with its history: `{outcome: \"done\"}`. A node of another host is forgotten by that host: 202, `{outcome: \"queued\", jobId}`. 409 for one that is active.")
                                        .answers(RemovalOutcome.class)
                                        .answers(202, RemovalOutcome.class)));
    }

    private record NodeRoster(List<NodeDetails> nodes) {}

    private record NodeWithVisits(NodeDetails node, List<NodeListStore.VisitRow> connections) {}

    /**
     * What became of it.
     *
     * @param outcome done, or queued as a job of the node's host
     * @param job the same as jobId, under the name of earlier versions
     */
    private record RemovalOutcome(String outcome, @Nullable String jobId, @Nullable String job)
            implements Sparse {}

    private Response list(Request request) {
        return Response.json(new NodeRoster(nodes(request)));
    }

    /** One of the caller's org, or none. */
    private NodeDetails found(Request request) {
        String host = request.parameter("host");
        String id = request.parameter("node");
        return nodes(request).stream()
                .filter(node -> node.hostId().equals(host) && node.id().equals(id))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no node %s; check the id".formatted(id)));
    }

    private Response remove(Request request) {
        NodeDetails node = found(request);
        return removal.remove(request.actor(), new HostId(node.hostId()), node.id())
                .map(job -> Response.json(202, new RemovalOutcome("queued", job, job)))
                .orElseGet(() -> Response.json(new RemovalOutcome("done", null, null)));
    }

    private Response show(Request request) {
        NodeDetails found = found(request);
        String host = found.hostId();
        String id = found.id();
        return Response.json(
                new NodeWithVisits(
                        found,
                        list.visits(
                                request.principal(),
                                host,
                                id,
                                request.query("before").orElse(""),
                                request.query("limit", RECENT, MOST))));
    }

    private List<NodeDetails> nodes(Request request) {
        Map<Key, Node> now = new LinkedHashMap<>();
        live.apply(request.org()).forEach(node -> now.put(Key.of(node), node));
        return list.all(request.principal()).stream()
                .map(
                        node -> {
                            Node running = now.get(new Key(node.hostId(), node.id()));
                            return running == null ? node : node.withPresenceOf(running);
                        })
                .toList();
    }

    /** A node id is unique at its host only. */
    private record Key(String host, String id) {
        static Key of(Node node) {
            return new Key(node.host().value(), node.id());
        }
    }
}
