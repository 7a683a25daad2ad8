package dev.skep.dispatch.routes;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.dispatch.event.OrgEvents;
import dev.skep.dispatch.event.Subscription;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** An org's events as server-sent events; a browser that comes back gets what it missed. */
public final class EventRoutes implements Route.Source {
    private static final Duration QUIET = Duration.ofSeconds(15);

    private final OrgEvents events;

    public EventRoutes(OrgEvents events) {
        this.events = events;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                "/api/orgs/{org}/events",
                                Access.operators(Role.VIEWER).orAgents(),
                                OrgScope.PATH,
                                this::stream)
                        .described(
                                Operation.of("Events as they happen (server-sent events).")
                                        .query("after", String.class, "id of the last known event")
                                        .answersText("text/event-stream")));
    }

    private Response stream(Request request) {
        return Response.streamed(
                "text/event-stream",
                out -> {
                    try (Subscription subscription =
                            events.subscribe(request.org(), request.query("after"))) {
                        write(out, subscription);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    private static void write(OutputStream out, Subscription subscription)
            throws IOException, InterruptedException {
        send(out, subscription.isReset() ? "event: reset\ndata: {}\n\n" : ": hello\n\n");
        // One that cannot keep up is cut off; it reconnects with the last id it received.
        while (!subscription.isOver()) {
            OrgEvent event = subscription.next(QUIET);
            send(
                    out,
                    event == null
                            ? ": still here\n\n"
                            : "id: %s\nevent: %s\ndata: %s\n\n"
                                    .formatted(event.id(), event.type(), Json.text(event)));
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
