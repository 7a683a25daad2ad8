package dev.skep.directory.enrolment;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** Answers at its own address with what another hub says, and hands that one what hosts sign. */
final class RelayingHub implements AutoCloseable {
    /** What hosts signed here, as it came. */
    final List<Map<String, Object>> signed = new CopyOnWriteArrayList<>();

    /** Tokens that the other hub gave for it. */
    final List<String> tokens = new CopyOnWriteArrayList<>();

    volatile UnaryOperator<Map<String, Object>> toHost = UnaryOperator.identity();
    volatile UnaryOperator<Map<String, Object>> toHub = UnaryOperator.identity();

    /** Whether enrolments end here, as at a hub of its own. */
    volatile boolean enrols;

    private final ApiClient other;
    private final Listener listener;

    RelayingHub(DirectoryTestHub other) {
        this.other = new HttpApiClient(other.client, other.listener.url(), Optional.empty());
        this.listener =
                new Listener(
                        ListenerConfig.loopback(0),
                        new Router(
                                new RouteTable(
                                        List.of(
                                                open("/api/link/challenge", this::challenge),
                                                open("/api/link/enrol", this::enrol),
                                                open("/api/link/token", this::token))),
                                Authenticator.NOBODY),
                        Listener.Mounts.NONE,
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        listener.start();
    }

    String url() {
        return listener.url();
    }

    private static Route open(String path, Route.Handler handler) {
        return new Route(HttpMethod.POST, path, Access.anyone(), OrgScope.NONE, handler);
    }

    private Response challenge(Request request) {
        return Response.json(toHost.apply(passedOn(request, body(request.body().bytes()))));
    }

    private Response enrol(Request request) {
        Map<String, Object> body = body(request.body().bytes());
        signed.add(body);
        return enrols
                ? Response.json(Map.of("hubId", body.getOrDefault("hubId", ""), "org", "default"))
                : Response.json(passedOn(request, toHub.apply(body)));
    }

    private Response token(Request request) {
        Map<String, Object> body = body(request.body().bytes());
        signed.add(body);
        Map<String, Object> granted = passedOn(request, toHub.apply(body));
        tokens.add((String) granted.get("token"));
        return Response.json(granted);
    }

    private Map<String, Object> passedOn(Request request, Map<String, Object> body) {
        return body(other.post(request.path(), body).json());
    }

    private static Map<String, Object> body(byte[] json) {
        Map<String, Object> body = new HashMap<>();
        for (Map.Entry<String, JsonNode> field : Json.tree(json).properties()) {
            JsonNode value = field.getValue();
            body.put(
                    field.getKey(),
                    value.isBoolean()
                            ? (Object) value.booleanValue()
                            : value.isNumber() ? value.longValue() : value.stringValue());
        }
        return body;
    }

    @Override
    public void close() {
        listener.close();
    }
}
