package dev.skep.sync.routes;

import dev.skep.kernel.identity.Role;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Reply;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;

/** How far each host is, names in conflict, and rows set aside. */
public final class SyncRoutes implements Route.Source {
    private final SyncReports reports;

    public SyncRoutes(SyncReports reports) {
        this.reports = reports;
    }

    @Override
    public List<Route> routes() {
        Access viewers = Access.operators(Role.VIEWER);
        return List.of(
                new Route(Method.GET, "/api/orgs/{org}/sync", viewers, OrgScope.PATH, this::peers),
                new Route(
                        Method.GET,
                        "/api/orgs/{org}/conflicts",
                        viewers,
                        OrgScope.PATH,
                        this::conflicts),
                new Route(
                        Method.GET,
                        "/api/orgs/{org}/quarantine",
                        viewers,
                        OrgScope.PATH,
                        this::quarantine));
    }

    private Reply peers(Request request) {
        return Reply.json(Map.of("peers", reports.peers(request.principal())));
    }

    private Reply conflicts(Request request) {
        return Reply.json(Map.of("conflicts", reports.conflicts(request.principal())));
    }

    private Reply quarantine(Request request) {
        int limit = request.query("limit", 100, 1_000);
        return Reply.json(Map.of("rows", reports.quarantine(request.principal(), limit)));
    }
}
