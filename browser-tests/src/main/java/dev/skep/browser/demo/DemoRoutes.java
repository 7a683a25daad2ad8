package dev.skep.browser.demo;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Role;
import dev.skep.supervisor.source.JobView;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Reply;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The few routes of other features that the pages act through, answered from memory. */
final class DemoRoutes implements Route.Source {
    private final DemoWork work;
    private final UlidSource ids;
    private final InstantSource clock;
    private final Runnable moved;

    DemoRoutes(DemoWork work, UlidSource ids, InstantSource clock, Runnable moved) {
        this.work = work;
        this.ids = ids;
        this.clock = clock;
        this.moved = moved;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                open(Method.POST, "/api/session", this::withPassword),
                open(Method.POST, "/api/session/link", this::withLink),
                open(Method.DELETE, "/api/session", request -> SessionCookie.clear(Reply.done())),
                act(Method.POST, "/jobs", this::create),
                act(Method.POST, "/jobs/{job}/cancel", request -> change(request, "cancelled")),
                act(Method.POST, "/jobs/{job}/retry", request -> change(request, "pending")),
                act(Method.PATCH, "/hosts/{host}", request -> Reply.done()),
                act(Method.POST, "/agents/{agent}/adopt", request -> Reply.done()),
                act(Method.POST, "/enrolments/{host}/rotate", request -> Reply.done()),
                act(Method.DELETE, "/enrolments/{host}", request -> Reply.done()),
                act(
                        Method.POST,
                        "/pairing-codes",
                        request -> Reply.created(Map.of("code", "K7QX-2M9P"))),
                act(Method.POST, "/webhooks", request -> Reply.created(Map.of("id", "w3"))),
                act(Method.DELETE, "/webhooks/{webhook}", request -> Reply.done()),
                act(Method.POST, "/webhooks/{webhook}/test", DemoRoutes::tried),
                act(Method.POST, "/servers", request -> Reply.created(Map.of("id", "s1"))),
                act(Method.DELETE, "/servers/{server}", request -> Reply.done()),
                act(Method.POST, "/operators", request -> link()),
                act(Method.PATCH, "/operators/{operator}", request -> Reply.done()),
                act(Method.POST, "/operators/{operator}/reset", request -> link()));
    }

    /** The team's channel takes what it gets; the pager is down. */
    private static Reply tried(Request request) {
        return Reply.json(
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

    private static Reply link() {
        return Reply.json(Map.of("signInPath", "/sign-in#once"));
    }

    private static Route open(Method method, String path, Route.Handler handler) {
        return new Route(method, path, Access.anyone(), OrgScope.NONE, handler);
    }

    private Route act(Method method, String path, Route.Handler handler) {
        return new Route(
                method,
                "/api/orgs/{org}" + path,
                Access.operators(Role.OPERATOR),
                OrgScope.PATH,
                request -> {
                    Reply reply = handler.answer(request);
                    moved.run();
                    return reply;
                });
    }

    private Reply withPassword(Request request) {
        return signedIn(request.fields().text("password").equals("honeycomb"));
    }

    private Reply withLink(Request request) {
        return signedIn(request.fields().text("token").equals("once"));
    }

    private static Reply signedIn(boolean right) {
        if (!right) {
            throw new SkepException(ErrorCode.WRONG_PASSWORD, "user name or password is wrong");
        }
        return SessionCookie.set(Reply.done(), "admin", Duration.ofHours(1));
    }

    private Reply create(Request request) {
        var fields = request.fields();
        String type = fields.text("type");
        if (type.startsWith("server.")) {
            String state = type.endsWith("stop") ? "stopped" : "running";
            work.changeServer(fields.text("serverInstanceId"), state, clock.instant());
        }
        JobView job =
                work.add(
                        new JobView(
                                ids.next(),
                                type,
                                fields.optionalText("hostId").orElse(""),
                                null,
                                "pending",
                                1,
                                0,
                                clock.instant(),
                                "maria",
                                null,
                                null,
                                null,
                                null));
        return Reply.created(Map.of("id", job.id()));
    }

    private Reply change(Request request, String status) {
        String job = request.parameter("job");
        if (!work.change(job, status, clock.instant())) {
            throw new SkepException(ErrorCode.NOT_FOUND, "there is no job " + job);
        }
        return Reply.done();
    }
}
