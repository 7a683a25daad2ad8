package dev.skep.transport.http;

import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.micrometer.core.instrument.Timer;

/** Counts and times requests by route, never by path: paths hold ids and are without number. */
public final class RequestMeter {
    private final Metrics metrics;

    public RequestMeter(Metrics metrics) {
        this.metrics = metrics;
    }

    Handler timed(Router router, Handler handler) {
        return context -> {
            Timer.Sample sample = Timer.start(metrics.registry());
            try {
                handler.handle(context);
            } finally {
                sample.stop(timer(router, context));
            }
        };
    }

    private Timer timer(Router router, Context context) {
        HttpMethod method = HttpMethod.valueOf(context.method().name());
        String route = router.route(method, context.path()).map(Route::path).orElse("none");
        return Timer.builder("skep.http.requests")
                .description(
                        "requests answered, by route, method and status, and the time they took")
                .tag("method", method.name())
                .tag("route", route)
                .tag("status", Integer.toString(context.statusCode()))
                .register(metrics.registry());
    }
}
