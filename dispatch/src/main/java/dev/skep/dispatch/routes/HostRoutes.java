package dev.skep.dispatch.routes;

import dev.skep.dispatch.host.HeartbeatReceiver;
import dev.skep.dispatch.host.HostConnections;
import dev.skep.dispatch.host.HostDetails;
import dev.skep.dispatch.host.HostEdit;
import dev.skep.dispatch.host.HostFilter;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.HostQueries;
import dev.skep.dispatch.host.HostStatus;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.server.ServerDetails;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.dispatch.view.RunDetails;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Role;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Hosts: the dashboard's list, one host, and what operators set about it. */
public final class HostRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/hosts";
    private static final String ONE = ALL + "/{host}";
    private static final int RECENT = 20;
    private static final int MOST_CONCURRENT = 10_000;

    private final Database database;
    private final HostHealthStore store;
    private final ServerStore servers;
    private final HeartbeatReceiver beats;
    private final AuditRecorder audit;
    private final InstantSource clock;
    private final InstantSource steady;

    public HostRoutes(
            Database database,
            HostHealthStore store,
            ServerStore servers,
            HeartbeatReceiver beats,
            AuditRecorder audit,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.store = store;
        this.servers = servers;
        this.beats = beats;
        this.audit = audit;
        this.clock = clock;
        this.steady = steady;
    }

    @Override
    public List<Route> routes() {
        Access see = Access.operators(Role.VIEWER);
        Access act = Access.operators(Role.OPERATOR);
        return List.of(
                new Route(HttpMethod.GET, ALL, see, OrgScope.PATH, this::list)
                        .described(
                                Operation.of("Hosts, by id.")
                                        .query("status", HostStatus.class, "only of this status")
                                        .query("label", String.class, "name=value of a label")
                                        .query("q", String.class, "part of a name")
                                        .query("after", String.class, "next of the page before")
                                        .query("limit", int.class, "1 to 1000, usually 100")
                                        .answers(HostPage.class)),
                new Route(HttpMethod.GET, ONE, see, OrgScope.PATH, this::show)
                        .described(
                                Operation.of("One host with its servers and latest runs.")
                                        .answers(HostWithWork.class)),
                new Route(HttpMethod.PATCH, ONE, act, OrgScope.PATH, this::edit)
                        .described(
                                Operation.of(
                                                "Name, labels, limits, degraded by hand. What is left out stays.")
                                        .takes(HostChange.class)
                                        .answers(HostDetails.class)));
    }

    /** Hosts, and where the next page begins if there may be one. */
    private record HostPage(List<HostDetails> hosts, @Nullable String next) implements Sparse {}

    private record HostWithWork(
            HostDetails host,
            List<ServerDetails> servers,
            List<RunDetails> runs,
            List<HostConnections.Connection> connections) {}

    /**
     * What operators set.
     *
     * @param jobsPerMinute null: as many as it takes
     */
    private record HostChange(
            @Nullable String name,
            @Nullable Map<String, String> labels,
            @Nullable Integer maxConcurrent,
            @Nullable Integer jobsPerMinute,
            @Nullable Boolean degraded,
            @Nullable String reason) {}

    private Response list(Request request) {
        int limit = DispatchResponses.limit(request);
        HostFilter filter =
                new HostFilter(
                        request.query("status").map(HostRoutes::status),
                        request.query("label"),
                        request.query("q"),
                        request.query("after"),
                        limit);
        List<HostDetails> hosts =
                database.read(
                        s -> HostQueries.list(s, request.principal(), filter, suspectBefore()));
        return Response.json(
                new HostPage(hosts, DispatchResponses.next(hosts, limit, HostDetails::id)));
    }

    private static HostStatus status(String text) {
        return Stream.of(HostStatus.values())
                .filter(status -> status.label().equals(text.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () ->
                                DispatchResponses.bad(
                                        "query 'status' must be online, offline, degraded or unknown"));
    }

    private Response show(Request request) {
        return Response.json(database.read(snapshot -> detail(snapshot, request)));
    }

    private HostWithWork detail(Snapshot snapshot, Request request) {
        String id = request.parameter("host");
        HostDetails host = view(snapshot, request);
        return new HostWithWork(
                host,
                servers.list(
                        snapshot,
                        request.principal(),
                        new HostId(id),
                        "",
                        DispatchResponses.LARGEST_PAGE),
                JobQueries.ofHost(snapshot, request.principal(), id, RECENT),
                HostConnections.latest(snapshot, request.principal(), new HostId(id), RECENT));
    }

    private HostDetails view(Snapshot snapshot, Request request) {
        String id = request.parameter("host");
        return HostQueries.find(snapshot, request.principal(), new HostId(id), suspectBefore())
                .orElseThrow(() -> DispatchResponses.no("host", id));
    }

    private Response edit(Request request) {
        HostId id = new HostId(request.parameter("host"));
        HostEdit edit = edit(request.fields());
        return Response.json(
                database.write(
                        transaction -> {
                            apply(transaction, request, id, edit);
                            return view(transaction, request);
                        }));
    }

    private void apply(Transaction transaction, Request request, HostId id, HostEdit edit) {
        Instant now = clock.instant();
        if (!store.isOf(transaction, request.org(), id, now)) {
            throw DispatchResponses.no("host", id.value());
        }
        HostHealthStore.StatusInput statusInput =
                Optional.ofNullable(store.known(transaction, List.of(id)).get(id))
                        .orElseThrow(() -> DispatchResponses.no("host", id.value()));
        store.edit(transaction, statusInput, edit, now);
        audit.record(transaction, request.actor(), "host_edited", "host:" + id, Map.of());
    }

    private static HostEdit edit(JsonFields fields) {
        fields.only(HostChange.class);
        Optional<String> degraded = Optional.empty();
        if (fields.has("degraded")) {
            degraded =
                    Optional.of(
                            fields.flag("degraded")
                                    ? fields.optionalText("reason").orElse("set by an operator")
                                    : "");
        }
        return new HostEdit(
                fields.optionalText("name"),
                fields.object("labels").map(JsonFields::texts),
                fields.optionalNumber("maxConcurrent")
                        .map(jobs -> limit("maxConcurrent", jobs, MOST_CONCURRENT)),
                fields.has("jobsPerMinute") ? Optional.of(perMinute(fields)) : Optional.empty(),
                degraded);
    }

    private static HostEdit.PerMinute perMinute(JsonFields fields) {
        return new HostEdit.PerMinute(
                fields.optionalNumber("jobsPerMinute")
                        .map(runs -> limit("jobsPerMinute", runs, Integer.MAX_VALUE))
                        .orElse(null));
    }

    private static int limit(String name, long number, int most) {
        if (number < 0 || number > most) {
            throw DispatchResponses.bad("%s must be from 0 to %d".formatted(name, most));
        }
        return (int) number;
    }

    private Instant suspectBefore() {
        return HostQueries.suspectBefore(steady.instant(), beats.interval());
    }
}
