package dev.skep.browser.demo;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The few routes of other features that the pages act through, answered from memory. */
final class DemoRoutes implements Route.Source {
    private final DemoJobs demoJobs;
    private final InstantSource clock;
    private final Runnable moved;

    DemoRoutes(DemoJobs demoJobs, InstantSource clock, Runnable moved) {
        this.demoJobs = demoJobs;
        this.clock = clock;
        this.moved = moved;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                open(HttpMethod.POST, "/api/session", this::withPassword),
                open(HttpMethod.POST, "/api/session/link", this::withLink),
                open(
                        HttpMethod.DELETE,
                        "/api/session",
                        request -> SessionCookie.clear(Response.done())),
                people("/api/session", DemoRoutes::who),
                people("/api/session/sign-ins", request -> signIns()),
                open(
                        HttpMethod.GET,
                        "/api/session/providers",
                        request ->
                                Response.json(
                                        Map.of(
                                                "providers",
                                                List.of(
                                                        Map.of(
                                                                "id", "company", "name",
                                                                "Company"))))),
                act(HttpMethod.GET, "/operators/{operator}", request -> operator()),
                act(HttpMethod.GET, "/operators/{operator}/sign-ins", request -> signIns()),
                act(HttpMethod.POST, "/jobs", this::create),
                act(HttpMethod.POST, "/jobs/{job}/cancel", this::cancel),
                act(HttpMethod.POST, "/jobs/{job}/retry", this::retry),
                act(HttpMethod.PATCH, "/hosts/{host}", request -> Response.done()),
                new Route(
                        HttpMethod.GET,
                        "/api/orgs/{org}/settings",
                        Access.operators(Role.VIEWER),
                        OrgScope.PATH,
                        request -> settings()),
                new Route(
                        HttpMethod.GET,
                        "/api/orgs/{org}/budgets",
                        Access.operators(Role.VIEWER),
                        OrgScope.PATH,
                        request -> Response.json(DemoBudgets.all(clock.instant()))),
                act(HttpMethod.PATCH, "/settings", request -> settings()),
                act(HttpMethod.POST, "/agents/{agent}/adopt", request -> Response.done()),
                act(HttpMethod.POST, "/enrolments/{host}/rotate", request -> Response.done()),
                act(HttpMethod.DELETE, "/enrolments/{host}", request -> Response.done()),
                act(
                        HttpMethod.POST,
                        "/pairing-codes",
                        request -> Response.created(Map.of("code", "K7QX-2M9P"))),
                act(HttpMethod.POST, "/webhooks", request -> Response.created(Map.of("id", "w3"))),
                act(HttpMethod.DELETE, "/webhooks/{webhook}", request -> Response.done()),
                act(HttpMethod.POST, "/webhooks/{webhook}/test", DemoRoutes::tried),
                look("/notifications", DemoNotifications.chosen()),
                look("/notifications/deliveries", DemoNotifications.messages(clock.instant())),
                look("/mail-server", DemoNotifications.mailServer()),
                act(
                        HttpMethod.POST,
                        "/notifications/channels/{channel}/test",
                        request -> Response.json(DemoNotifications.tried(request))),
                act(HttpMethod.POST, "/servers", request -> Response.created(Map.of("id", "s1"))),
                act(HttpMethod.DELETE, "/servers/{server}", request -> Response.done()),
                act(HttpMethod.POST, "/operators", request -> link()),
                act(HttpMethod.PATCH, "/operators/{operator}", request -> Response.done()),
                act(HttpMethod.POST, "/operators/{operator}/reset", request -> link()));
    }

    private static Route people(String path, Route.Handler handler) {
        return new Route(
                HttpMethod.GET, path, Access.operators(Role.VIEWER), OrgScope.CALLER, handler);
    }

    private static Response who(Request request) {
        String role =
                request.principal() instanceof Principal.Operator(_, _, Role given)
                        ? given.name().toLowerCase(Locale.ROOT)
                        : "admin";
        return Response.json(
                Map.of(
                        "org",
                        request.org().value(),
                        "username",
                        "maria",
                        "role",
                        role,
                        "hasPassword",
                        true,
                        "hasSecondFactor",
                        true,
                        "recoveryCodesLeft",
                        9,
                        "identities",
                        List.of(Map.of("provider", "company", "name", "maria@company.example")),
                        "orgs",
                        List.of(
                                org("default", role, "maria"),
                                org("research", "viewer", "maria.k"))));
    }

    private static Map<String, String> org(String id, String role, String username) {
        return Map.of("org", id, "name", id, "role", role, "username", username);
    }

    private Response signIns() {
        return Response.json(
                Map.of(
                        "current",
                        "s1",
                        "signIns",
                        List.of(
                                signIn("s1", "Firefox on Linux", "198.51.100.7", 3),
                                signIn("s2", "skep login on maria-laptop", "198.51.100.7", 90))));
    }

    private Map<String, Object> signIn(String id, String client, String address, int minutes) {
        Instant at = clock.instant().minus(Duration.ofMinutes(minutes));
        return Map.of(
                "id",
                id,
                "org",
                "default",
                "client",
                client,
                "address",
                address,
                "createdAt",
                at,
                "usedAt",
                at);
    }

    private Response operator() {
        return Response.json(
                Map.of(
                        "id",
                        "o1",
                        "username",
                        "maria",
                        "role",
                        "admin",
                        "hasPassword",
                        true,
                        "hasSecondFactor",
                        true,
                        "signedInAt",
                        clock.instant()));
    }

    /** The team's channel takes what it gets; the pager is down. */
    private static Response tried(Request request) {
        return Response.json(
                request.parameter("webhook").equals("w1")
                        ? Map.of("state", "done", "lastStatus", 204)
                        : Map.of(
                                "state",
                                "waiting",
                                "lastStatus",
                                503,
                                "lastError",
                                "answered 503"));
    }

    private static Response settings() {
        return Response.json(
                Map.of(
                        "offlineAfterSeconds",
                        300,
                        "jobLeaseSeconds",
                        30,
                        "degradedCpuPercent",
                        98,
                        "degradedMemoryPercent",
                        95,
                        "degradedDiskPercent",
                        90,
                        "set",
                        new OrgSettings(300L, null, null, null, 90)));
    }

    private static Response link() {
        return Response.json(Map.of("signInPath", "/sign-in#once"));
    }

    private static Route open(HttpMethod method, String path, Route.Handler handler) {
        return new Route(method, path, Access.anyone(), OrgScope.NONE, handler);
    }

    private static Route look(String path, Object answer) {
        return new Route(
                HttpMethod.GET,
                "/api/orgs/{org}" + path,
                Access.operators(Role.VIEWER),
                OrgScope.PATH,
                request -> Response.json(answer));
    }

    private Route act(HttpMethod method, String path, Route.Handler handler) {
        return new Route(
                method,
                "/api/orgs/{org}" + path,
                Access.operators(Role.OPERATOR),
                OrgScope.PATH,
                request -> {
                    Response response = handler.answer(request);
                    moved.run();
                    return response;
                });
    }

    private Response withPassword(Request request) {
        return signedIn(request.fields().text("password").equals("honeycomb"));
    }

    private Response withLink(Request request) {
        return signedIn(request.fields().text("token").equals("once"));
    }

    private static Response signedIn(boolean right) {
        if (!right) {
            throw new SkepException(ErrorCode.WRONG_PASSWORD, "user name or password is wrong");
        }
        return SessionCookie.set(Response.done(), "admin", Duration.ofHours(1));
    }

    private Response create(Request request) {
        var fields = request.fields();
        String type = fields.text("type");
        HostId host =
                type.startsWith("server.")
                        ? demoJobs.changeServer(
                                fields.id("serverInstanceId", ServerId::new),
                                type.endsWith("stop") ? "stopped" : "running",
                                clock.instant())
                        : fields.id("hostId", HostId::new);
        NewJob job = NewJob.plain(host, type, fields.json("payload").orElse("{}"));
        JobId id = demoJobs.add(request.actor(), job, clock.instant());
        return Response.created(Map.of("id", id.value()));
    }

    private Response cancel(Request request) {
        demoJobs.cancel(request.parameter("job"), clock.instant());
        return Response.done();
    }

    private Response retry(Request request) {
        demoJobs.retry(request.parameter("job"));
        return Response.done();
    }
}
