package dev.skep.directory.routes;

import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this machine's command line does about its own host: which hubs it is in, and its key. While
 * a process runs, only that process changes the key file, hence these routes.
 */
public final class LocalHostRoutes implements Route.Source {
    private final LocalHost host;
    private final InstantSource clock;
    private final boolean plainAllowed;

    public LocalHostRoutes(LocalHost host, InstantSource clock, boolean plainAllowed) {
        this.host = host;
        this.clock = clock;
        this.plainAllowed = plainAllowed;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                local(HttpMethod.GET, "/api/host", this::show)
                        .described(
                                Operation.of(
                                                "This machine as a host: id, name, key, the hubs it is in.")
                                        .answers(ThisHost.class)),
                local(HttpMethod.POST, "/api/host/hubs", this::enrol)
                        .described(
                                Operation.of("Enrols this machine with a hub.")
                                        .takes(HubToJoin.class)
                                        .creates(JoinedHubView.class)),
                local(HttpMethod.POST, "/api/host/hubs/leave", this::leave)
                        .described(
                                Operation.of("Forgets a hub.")
                                        .takes(HubToLeave.class)
                                        .answers(LeftHub.class)),
                local(HttpMethod.POST, "/api/host/hubs/allow", this::allow)
                        .described(
                                Operation.of(
                                                "Decides what the hub at `url` may do to this host from now on: `allow`, such as `steer,jobs`.")
                                        .takes(AllowedHub.class)
                                        .answers(HubConsents.class)),
                local(HttpMethod.POST, "/api/host/rotate", this::rotate)
                        .described(
                                Operation.of(
                                                "Makes this machine a new key, vouched for by the old one.")
                                        .answers(NewestKey.class)));
    }

    private record ThisHost(
            String id,
            String name,
            String kind,
            String machineId,
            int keyVersion,
            List<KnownHub> hubs) {}

    private record KnownHub(String url, String hubId, int keyVersion, List<String> allows) {}

    private record HubToJoin(
            String url,
            @Nullable String code,
            @Nullable String accessKey,
            @Nullable String allow) {}

    private record JoinedHubView(String url, String hubId, List<String> allows) {}

    private record HubToLeave(String url) {}

    private record LeftHub(boolean left) {}

    private record AllowedHub(String url, String allow) {}

    private record HubConsents(String url, List<String> allows) {}

    private record NewestKey(int keyVersion) {}

    private static Route local(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.local(), OrgScope.NONE, handler);
    }

    private Response show(Request request) {
        return Response.json(
                new ThisHost(
                        host.id().value(),
                        host.name(),
                        host.kind().stored(),
                        host.machine().id(),
                        host.keys().newest().version(),
                        host.keys().hubs().stream().map(LocalHostRoutes::shown).toList()));
    }

    private static KnownHub shown(JoinedHub hub) {
        return new KnownHub(
                hub.url(),
                hub.hubId(),
                hub.keyVersion(),
                hub.allows().orElse(Consents.NONE).labels());
    }

    private Response enrol(Request request) {
        JsonFields fields = request.fields().only(HubToJoin.class);
        Optional<Consents> allow = fields.optionalText("allow").map(Consents::parse);
        HubUrl url = HubUrl.of(fields.text("url"), plainAllowed);
        try (HttpClient client = HttpApiClient.newClient()) {
            HubSession session =
                    new HubSession(
                            host,
                            url,
                            fields.optionalText("accessKey"),
                            allow.orElse(
                                    host.kind() == HostKind.HUB ? Consents.NONE : Consents.USUAL),
                            client,
                            clock);
            Optional<String> code = fields.optionalText("code");
            code.ifPresent(session::enrol);
            // Proves that the enrolment works before it is used.
            String hubId = session.token().hubId();
            allow.ifPresent(consents -> host.keys().allow(url.base(), consents));
            return Response.created(
                    new JoinedHubView(url.base(), hubId, host.keys().allows(url.base()).labels()));
        }
    }

    private Response leave(Request request) {
        String url = HubUrl.of(request.body(HubToLeave.class).url(), true).base();
        Optional<JoinedHub> joined = host.keys().hub(url);
        joined.ifPresent(hub -> host.keys().left(hub.url()));
        return Response.json(new LeftHub(joined.isPresent()));
    }

    /** Asks no hub: this is the host's own to decide. */
    private Response allow(Request request) {
        JsonFields fields = request.fields().only(AllowedHub.class);
        String url = HubUrl.of(fields.text("url"), true).base();
        Consents consents = Consents.parse(fields.text("allow"));
        if (!host.keys().allow(url, consents)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "this host is in no hub at %s; 'skep allow' lists its hubs".formatted(url));
        }
        return Response.json(new HubConsents(url, consents.labels()));
    }

    private Response rotate(Request request) {
        host.rotateKey();
        return Response.json(new NewestKey(host.keys().newest().version()));
    }
}
