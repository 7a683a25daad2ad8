package dev.skep.transport.http;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether the process lives, whether it can serve, and its figures for Prometheus. */
public final class HealthRoutes implements Route.Source {
    /** What balancers request, by an address or without a host name; open to anyone. */
    static final Set<String> PROBES = Set.of("/healthz", "/readyz");

    private final Metrics metrics;
    private final ReadinessChecks checks;

    public HealthRoutes(Metrics metrics, ReadinessChecks checks) {
        this.metrics = metrics;
        this.checks = checks;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/healthz",
                                Access.anyone(),
                                OrgScope.NONE,
                                request -> Response.text(200, "text/plain", "ok\n"))
                        .described(
                                Operation.of("`ok` while the process lives.")
                                        .answersText("text/plain")),
                new Route(HttpMethod.GET, "/readyz", Access.anyone(), OrgScope.NONE, this::ready)
                        .described(
                                Operation.of(
                                                "`ready` while every database of the process can be written to, else 503 with which cannot and why, within a second.")
                                        .answersText("text/plain")),
                new Route(
                                HttpMethod.GET,
                                "/metrics",
                                Access.operators(Role.ADMIN).orLoopback(),
                                OrgScope.NONE,
                                this::metrics)
                        .described(
                                Operation.of("[Figures](metrics.md) for Prometheus.")
                                        .answersText("text/plain; version=0.0.4")));
    }

    private Response ready(Request request) {
        Optional<String> wrong = checks.wrong();
        if (wrong.isPresent()) {
            throw new SkepException(ErrorCode.OVERLOADED, "not ready: " + wrong.get());
        }
        return Response.text(200, "text/plain", "ready\n");
    }

    private Response metrics(Request request) {
        return Response.text(200, "text/plain; version=0.0.4", metrics.scrape());
    }
}
