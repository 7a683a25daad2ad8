package dev.skep.directory.routes;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.org.Org;
import dev.skep.directory.org.OrgStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Orgs, for the operator of the process; members of one never see another. */
public final class OrgRoutes implements Route.Source {
    private final Database database;
    private final OrgStore orgs;
    private final AuditStore audit;
    private final InstantSource clock;

    public OrgRoutes(Database database, OrgStore orgs, AuditStore audit, InstantSource clock) {
        this.database = database;
        this.orgs = orgs;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(HttpMethod.GET, "/api/orgs", Access.local(), OrgScope.NONE, this::list)
                        .described(Operation.of("Orgs of this hub.").answers(OrgList.class)),
                new Route(HttpMethod.POST, "/api/orgs", Access.local(), OrgScope.NONE, this::add)
                        .described(
                                Operation.of("Adds an org.")
                                        .takes(NewOrg.class)
                                        .creates(AddedOrg.class)));
    }

    private record OrgList(List<Org> orgs) {}

    private record NewOrg(String id, @Nullable String name) {}

    private record AddedOrg(String id) {}

    private Response list(Request request) {
        Principal.Local local = new Principal.Local(request.org());
        return Response.json(new OrgList(database.read(s -> orgs.all(s, local))));
    }

    private Response add(Request request) {
        JsonFields fields = request.fields().only(NewOrg.class);
        String id = fields.text("id");
        Principal.Local local = new Principal.Local(request.org());
        database.write(
                transaction -> {
                    orgs.add(
                            transaction,
                            local,
                            id,
                            fields.optionalText("name").orElse(id),
                            clock.instant());
                    Actor there =
                            new Actor(new Principal.Local(new OrgId(id)), request.actor().from());
                    audit.record(transaction, there, "org_added", "org:" + id, Map.of());
                    return id;
                });
        return Response.created(new AddedOrg(id));
    }
}
