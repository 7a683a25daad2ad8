package dev.skep.transport.http;

import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.Route;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.micrometer.core.instrument.Timer;

/** Counts and times requests by route, never by path: paths hold ids and are without number. */
public final class RequestMeter {
    private final Meters meters;

    public RequestMeter(Meters meters) {
        this.meters = meters;
    }

    Handler timed(Dispatch dispatch, Handler handler) {
        return context -> {
            Timer.Sample sample = Timer.start(meters.registry());
            try {
                handler.handle(context);
            } finally {
                sample.stop(timer(dispatch, context));
            }
        };
    }

    private Timer timer(Dispatch dispatch, Context context) {
        Method method = Method.valueOf(context.method().name());
        String route = dispatch.route(method, context.path()).map(Route::path).orElse("none");
        return Timer.builder("skep.http.requests")
                .description(
                        "requests answered, by route, method and status, and the time they took")
                .tag("method", method.name())
                .tag("route", route)
                .tag("status", Integer.toString(context.statusCode()))
                .register(meters.registry());
    }
}
