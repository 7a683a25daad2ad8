package dev.skep.sync.routes;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.function.Function;

/** How far each peer has synced, names in conflict, and quarantined rows. */
public final class SyncRoutes implements Route.Source {
    private final SyncReports reports;
    private final Function<Principal, List<PeerSyncStatus>> standings;

    /** With the hosts of a hub, or the hubs of a host. */
    public SyncRoutes(SyncReports reports, Function<Principal, List<PeerSyncStatus>> standings) {
        this.reports = reports;
        this.standings = standings;
    }

    @Override
    public List<Route> routes() {
        Access viewers = Access.operators(Role.VIEWER);
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/sync",
                                viewers,
                                OrgScope.PATH,
                                this::peers)
                        .described(
                                Operation.of(
                                                "How far each host is, and what is wrong with its link.")
                                        .answers(PeerList.class)),
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/conflicts",
                                viewers,
                                OrgScope.PATH,
                                this::conflicts)
                        .described(
                                Operation.of("Names that two hosts have.")
                                        .answers(ConflictList.class)),
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/quarantine",
                                viewers,
                                OrgScope.PATH,
                                this::quarantine)
                        .described(
                                Operation.of("Rows that were set aside, and why.")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(QuarantineList.class)));
    }

    private record PeerList(List<PeerSyncStatus> peers) {}

    private record ConflictList(List<SyncReports.NameConflictView> conflicts) {}

    private record QuarantineList(List<SyncReports.QuarantineView> rows) {}

    private Response peers(Request request) {
        return Response.json(new PeerList(standings.apply(request.principal())));
    }

    private Response conflicts(Request request) {
        return Response.json(new ConflictList(reports.conflicts(request.principal())));
    }

    private Response quarantine(Request request) {
        int limit = request.query("limit", 100, 1_000);
        return Response.json(new QuarantineList(reports.quarantine(request.principal(), limit)));
    }
}
