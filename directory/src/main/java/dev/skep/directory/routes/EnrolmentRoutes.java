package dev.skep.directory.routes;

import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.enrolment.EnrolledKey;
import dev.skep.directory.enrolment.HostService;
import dev.skep.directory.enrolment.PairingCodeStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The hosts enrolled with this hub, and codes for more. */
public final class EnrolmentRoutes implements Route.Source {
    private static final String ALL = "/api/orgs/{org}/enrolments";
    private static final String ONE = ALL + "/{host}";

    private final HostService hostService;
    private final ConnectedHosts connectedHosts;
    private final Function<Principal, Map<String, List<String>>> allows;

    /**
     * On a hub.
     *
     * @param allows what each host lets this hub do, as far as reported
     */
    public EnrolmentRoutes(
            HostService hostService,
            ConnectedHosts connectedHosts,
            Function<Principal, Map<String, List<String>>> allows) {
        this.hostService = hostService;
        this.connectedHosts = connectedHosts;
        this.allows = allows;
    }

    @Override
    public List<Route> routes() {
        Access viewers = Access.operators(Role.VIEWER);
        Access admins = Access.operators(Role.ADMIN);
        return List.of(
                new Route(HttpMethod.GET, ALL, viewers, OrgScope.PATH, this::list)
                        .described(
                                Operation.of("Hosts with their keys and standing.")
                                        .answers(EnrolledHosts.class)),
                new Route(HttpMethod.GET, ONE, viewers, OrgScope.PATH, this::show)
                        .described(
                                Operation.of("One host with its keys and standing.")
                                        .answers(EnrolledHostView.class)),
                new Route(HttpMethod.DELETE, ONE, admins, OrgScope.PATH, this::revoke)
                        .described(
                                Operation.of("Revokes a host: its key, tokens and open links.")
                                        .answers(EnrolledHostView.class)),
                new Route(HttpMethod.POST, ONE + "/rotate", admins, OrgScope.PATH, this::rotate)
                        .described(
                                Operation.of("Asks a host for a new key at its next connection.")
                                        .answers(EnrolledHostView.class)),
                new Route(
                                HttpMethod.POST,
                                "/api/orgs/{org}/pairing-codes",
                                admins,
                                OrgScope.PATH,
                                this::pair)
                        .described(
                                Operation.of(
                                                "A code that lets one machine in, once within 10 minutes; with `replaces`, for a host that lost its key.")
                                        .takes(NewPairingCode.class)
                                        .creates(PairingCodeView.class)));
    }

    private record EnrolledHosts(List<EnrolledHostView> hosts) {}

    /**
     * What the code is for.
     *
     * @param replaces the id of the host that lost its key
     */
    private record NewPairingCode(@Nullable String replaces) {}

    private record PairingCodeView(String code, Instant expiresAt) {}

    /** An enrolled host as clients see it. */
    record EnrolledHostView(
            String id,
            String name,
            int agentKeyVersion,
            boolean connected,
            Instant enrolledAt,
            @Nullable Instant revokedAt,
            @Nullable List<String> allows) {}

    private EnrolledHostView shown(EnrolledKey key) {
        return shown(key, Map.of());
    }

    private EnrolledHostView shown(EnrolledKey key, Map<String, List<String>> allowing) {
        return new EnrolledHostView(
                key.host().value(),
                key.name(),
                key.version(),
                connectedHosts.isLive(key.host()),
                key.createdAt(),
                key.revokedAt(),
                allowing.get(key.host().value()));
    }

    private Response list(Request request) {
        Map<String, List<String>> allowing = allows.apply(request.principal());
        return Response.json(
                new EnrolledHosts(
                        hostService.all(request.principal()).stream()
                                .map(key -> shown(key, allowing))
                                .toList()));
    }

    private Response show(Request request) {
        return Response.json(
                shown(
                        hostService.find(request.principal(), request.parameter("host")),
                        allows.apply(request.principal())));
    }

    private Response revoke(Request request) {
        return Response.json(shown(hostService.revoke(request.actor(), request.parameter("host"))));
    }

    private Response rotate(Request request) {
        return Response.json(
                shown(hostService.askToRotate(request.actor(), request.parameter("host"))));
    }

    private Response pair(Request request) {
        PairingCodeStore.Code code =
                hostService.pair(
                        request.actor(),
                        Optional.ofNullable(request.body(NewPairingCode.class).replaces()));
        return Response.created(new PairingCodeView(code.code(), code.expiresAt()));
    }
}
