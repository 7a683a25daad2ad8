package dev.skep.dispatch.routes;

import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.server.ServerDetails;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Sparse;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Server instances; what is done to their processes is a job. */
public final class ServerRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/servers";
    private static final String ONE = ALL + "/{server}";
    private static final Set<String> RESTART = Set.of("never", "on-failure", "always");

    private final Database database;
    private final ServerStore servers;
    private final HostHealthStore hosts;
    private final AuditRecorder audit;
    private final UlidSource ids;
    private final InstantSource clock;

    public ServerRoutes(
            Database database,
            ServerStore servers,
            HostHealthStore hosts,
            AuditRecorder audit,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.servers = servers;
        this.hosts = hosts;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        Access see = Access.operators(Role.VIEWER);
        Access act = Access.operators(Role.OPERATOR);
        return List.of(
                new Route(HttpMethod.GET, ALL, see, OrgScope.PATH, this::list)
                        .described(
                                Operation.of("Server instances, by id.")
                                        .query("hostId", String.class, "only of this host")
                                        .query("host", String.class, "hostId, as it was called")
                                        .query("after", String.class, "next of the page before")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(ServerPage.class)),
                new Route(HttpMethod.POST, ALL, act, OrgScope.PATH, this::create)
                        .described(
                                Operation.of("Adds a server instance to a host.")
                                        .takes(NewServer.class)
                                        .creates(ServerDetails.class)),
                new Route(HttpMethod.GET, ONE, see, OrgScope.PATH, this::show)
                        .described(
                                Operation.of("One server instance.").answers(ServerDetails.class)),
                new Route(HttpMethod.PATCH, ONE, act, OrgScope.PATH, this::change)
                        .described(
                                Operation.of("Changes name or spec.")
                                        .takes(ServerChange.class)
                                        .answers(ServerDetails.class)),
                new Route(HttpMethod.DELETE, ONE, act, OrgScope.PATH, this::delete)
                        .described(
                                Operation.of("Removes a stopped server instance.")
                                        .answersNothing()));
    }

    private record ServerPage(List<ServerDetails> servers, @Nullable String next)
            implements Sparse {}

    private record NewServer(String hostId, String name, ServerSpec spec) {}

    private record ServerChange(@Nullable String name, @Nullable ServerSpec spec) {}

    /**
     * The process that a host keeps running.
     *
     * @param restart never, on-failure or always
     */
    private record ServerSpec(
            String command,
            @Nullable String cwd,
            @Nullable Map<String, String> env,
            @Nullable String restart) {}

    private Response list(Request request) {
        int limit = DispatchResponses.limit(request);
        HostId host =
                DispatchResponses.named(request, "hostId", "host").map(HostId::new).orElse(null);
        List<ServerDetails> all =
                database.read(
                        s ->
                                servers.list(
                                        s,
                                        request.principal(),
                                        host,
                                        request.query("after").orElse(""),
                                        limit));
        return Response.json(
                new ServerPage(all, DispatchResponses.next(all, limit, ServerDetails::id)));
    }

    private Response create(Request request) {
        JsonFields fields = request.fields().only(NewServer.class);
        HostId host = fields.id("hostId", HostId::new);
        String name = fields.text("name");
        String spec =
                spec(fields).orElseThrow(() -> DispatchResponses.bad("field 'spec' is missing"));
        ServerId id = new ServerId(ids.next());
        return Response.created(
                database.write(
                        transaction -> {
                            Instant now = clock.instant();
                            if (!hosts.isOf(transaction, request.org(), host, now)) {
                                throw DispatchResponses.no("host", host.value());
                            }
                            refuseTaken(transaction, request, host, name);
                            servers.insert(transaction, request.org(), id, host, name, spec, now);
                            audit.record(
                                    transaction,
                                    request.actor(),
                                    "server_created",
                                    "server:" + id,
                                    Map.of("host", host.value(), "name", name));
                            return found(transaction, request, id);
                        }));
    }

    private Response show(Request request) {
        ServerId id = new ServerId(request.parameter("server"));
        return Response.json(database.read(s -> found(s, request, id)));
    }

    private Response change(Request request) {
        ServerId id = new ServerId(request.parameter("server"));
        JsonFields fields = request.fields().only(ServerChange.class);
        Optional<String> spec = spec(fields);
        return Response.json(
                database.write(
                        transaction -> {
                            boolean changed =
                                    servers.update(
                                            transaction,
                                            request.org(),
                                            id,
                                            fields.optionalText("name").orElse(null),
                                            spec.orElse(null),
                                            clock.instant());
                            if (!changed) {
                                throw DispatchResponses.no("server", id.value());
                            }
                            audit.record(
                                    transaction,
                                    request.actor(),
                                    "server_changed",
                                    "server:" + id,
                                    Map.of());
                            return found(transaction, request, id);
                        }));
    }

    private Response delete(Request request) {
        ServerId id = new ServerId(request.parameter("server"));
        database.write(
                transaction -> {
                    ServerDetails server = found(transaction, request, id);
                    if (!server.state().equals("stopped")) {
                        throw new SkepException(
                                ErrorCode.CONFLICT,
                                "server %s is %s; stop it first"
                                        .formatted(server.name(), server.state()));
                    }
                    audit.record(
                            transaction,
                            request.actor(),
                            "server_deleted",
                            "server:" + id,
                            Map.of());
                    return servers.delete(transaction, request.org(), id);
                });
        return Response.done();
    }

    private void refuseTaken(Snapshot snapshot, Request request, HostId host, String name) {
        boolean taken =
                servers.list(snapshot, request.principal(), host, "", Integer.MAX_VALUE).stream()
                        .anyMatch(server -> server.name().equals(name));
        if (taken) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "the host has a server %s already; choose another name".formatted(name));
        }
    }

    private ServerDetails found(Snapshot snapshot, Request request, ServerId id) {
        return servers.find(snapshot, request.principal(), id)
                .orElseThrow(() -> DispatchResponses.no("server", id.value()));
    }

    /** The spec as it came, if it is one its host can work with. */
    private static Optional<String> spec(JsonFields fields) {
        return fields.object("spec")
                .map(
                        spec -> {
                            spec.only(ServerSpec.class);
                            spec.text("command");
                            spec.object("env").ifPresent(JsonFields::texts);
                            String restart = spec.optionalText("restart").orElse("on-failure");
                            if (!RESTART.contains(restart)) {
                                throw DispatchResponses.bad(
                                        "spec.restart must be never, on-failure or always");
                            }
                            return fields.json("spec").orElseThrow();
                        });
    }
}
