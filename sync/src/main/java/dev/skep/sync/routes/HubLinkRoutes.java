package dev.skep.sync.routes;

import dev.skep.sync.HubSyncStatus;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.function.Supplier;

/** How this machine's links to its hubs stand, for its command line. */
public final class HubLinkRoutes implements Route.Source {
    private final Supplier<List<HubSyncStatus>> status;

    public HubLinkRoutes(Supplier<List<HubSyncStatus>> status) {
        this.status = status;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/host/links",
                                Access.local(),
                                OrgScope.NONE,
                                request -> Response.json(new LinkList(status.get())))
                        .described(
                                Operation.of("How this machine's links stand.")
                                        .answers(LinkList.class)));
    }

    private record LinkList(List<HubSyncStatus> links) {}
}
