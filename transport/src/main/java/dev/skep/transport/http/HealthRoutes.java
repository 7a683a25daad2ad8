package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Reply;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether the process lives, whether it can serve, and its figures for Prometheus. */
public final class HealthRoutes implements Route.Source {
    /** What balancers ask, by an address or by no name at all; it is told to anyone. */
    static final Set<String> PROBES = Set.of("/healthz", "/readyz");

    private final Meters meters;
    private final ReadyChecks checks;

    public HealthRoutes(Meters meters, ReadyChecks checks) {
        this.meters = meters;
        this.checks = checks;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                        Method.GET,
                        "/healthz",
                        Access.anyone(),
                        OrgScope.NONE,
                        request -> Reply.text(200, "text/plain", "ok\n")),
                new Route(Method.GET, "/readyz", Access.anyone(), OrgScope.NONE, this::ready),
                new Route(
                        Method.GET,
                        "/metrics",
                        Access.operators(Role.ADMIN).orLoopback(),
                        OrgScope.NONE,
                        this::metrics));
    }

    private Reply ready(Request request) {
        Optional<String> wrong = checks.wrong();
        if (wrong.isPresent()) {
            throw new SkepException(ErrorCode.OVERLOADED, "not ready: " + wrong.get());
        }
        return Reply.text(200, "text/plain", "ready\n");
    }

    private Reply metrics(Request request) {
        return Reply.text(200, "text/plain; version=0.0.4", meters.scrape());
    }
}
