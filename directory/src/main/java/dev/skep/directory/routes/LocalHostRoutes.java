package dev.skep.directory.routes;

import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.HttpApiClient;
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
import java.util.Map;
import java.util.Optional;

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
                local(HttpMethod.GET, "/api/host", this::show),
                local(HttpMethod.POST, "/api/host/hubs", this::enrol),
                local(HttpMethod.POST, "/api/host/hubs/leave", this::leave),
                local(HttpMethod.POST, "/api/host/hubs/allow", this::allow),
                local(HttpMethod.POST, "/api/host/rotate", this::rotate));
    }

    private static Route local(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.local(), OrgScope.NONE, handler);
    }

    private Response show(Request request) {
        return Response.json(
                Map.of(
                        "id",
                        host.id().value(),
                        "name",
                        host.name(),
                        "kind",
                        host.kind().stored(),
                        "machineId",
                        host.machine().id(),
                        "keyVersion",
                        host.keys().newest().version(),
                        "fingerprint",
                        SecretDigest.fingerprint(host.keys().newest().publicKey()),
                        "hubs",
                        host.keys().hubs().stream().map(LocalHostRoutes::shown).toList()));
    }

    private static Map<String, Object> shown(JoinedHub hub) {
        return Map.of(
                "url", hub.url(),
                "hubId", hub.hubId(),
                "keyVersion", hub.keyVersion(),
                "allows", hub.allows().orElse(Consents.NONE).labels());
    }

    private Response enrol(Request request) {
        JsonFields fields = request.fields().only("url", "code", "accessKey", "allow");
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
                    Map.of(
                            "url",
                            url.base(),
                            "hubId",
                            hubId,
                            "allows",
                            host.keys().allows(url.base()).labels()));
        }
    }

    private Response leave(Request request) {
        String url = HubUrl.of(request.fields().only("url").text("url"), true).base();
        Optional<JoinedHub> joined = host.keys().hub(url);
        joined.ifPresent(hub -> host.keys().left(hub.url()));
        return Response.json(Map.of("left", joined.isPresent()));
    }

    /** Asks no hub: this is the host's own to decide. */
    private Response allow(Request request) {
        JsonFields fields = request.fields().only("url", "allow");
        String url = HubUrl.of(fields.text("url"), true).base();
        Consents consents = Consents.parse(fields.text("allow"));
        if (!host.keys().allow(url, consents)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "this host is in no hub at %s; 'skep allow' lists its hubs".formatted(url));
        }
        return Response.json(Map.of("url", url, "allows", consents.labels()));
    }

    private Response rotate(Request request) {
        host.rotateKey();
        return Response.json(Map.of("keyVersion", host.keys().newest().version()));
    }
}
