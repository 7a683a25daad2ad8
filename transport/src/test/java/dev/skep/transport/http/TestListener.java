package dev.skep.transport.http;

import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A listener on a free port with a few routes, and a client that sends to it. */
final class TestListener implements AutoCloseable {
    final Listener listener;
    private final HttpClient client = HttpClient.newHttpClient();

    TestListener(ListenerConfig config, SocketRoute... sockets) {
        Metrics registry = new Metrics();
        List<Route> routes =
                new ArrayList<>(new HealthRoutes(registry, ReadinessChecks.NONE).routes());
        routes.add(
                new Route(
                        HttpMethod.POST,
                        "/api/echo",
                        Access.anyone(),
                        OrgScope.NONE,
                        request -> Response.json(Map.of("size", request.body().bytes().length))));
        routes.add(
                new Route(
                        HttpMethod.GET,
                        "/api/orgs/{org}/secret",
                        Access.operators(Role.OPERATOR),
                        OrgScope.PATH,
                        request -> Response.json(Map.of("org", request.org().value()))));
        routes.add(
                new Route(
                        HttpMethod.GET,
                        "/api/from",
                        Access.anyone(),
                        OrgScope.NONE,
                        request ->
                                Response.json(
                                        Map.of(
                                                "from",
                                                request.from(),
                                                "here",
                                                request.credentials().loopback()))));
        routes.add(
                new Route(
                        HttpMethod.GET,
                        "/api/cookie",
                        Access.anyone(),
                        OrgScope.NONE,
                        request ->
                                SessionCookie.set(
                                        Response.json(Map.of()), "secret", Duration.ofMinutes(1))));
        routes.add(
                new Route(
                        HttpMethod.GET,
                        "/api/session",
                        Access.anyone(),
                        OrgScope.NONE,
                        request ->
                                Response.text(
                                        200,
                                        "text/plain",
                                        request.credentials().session().orElse("none"))));
        routes.add(
                new Route(
                        HttpMethod.POST,
                        "/api/proof",
                        Access.proving(),
                        OrgScope.NONE,
                        request -> Response.json(Map.of())));
        routes.add(
                new Route(
                        HttpMethod.GET,
                        "/api/broken",
                        Access.anyone(),
                        OrgScope.NONE,
                        request -> {
                            throw new IllegalStateException("skep_secret_in_message");
                        }));
        listener =
                new Listener(
                        config,
                        new Router(new RouteTable(routes), new ByName()),
                        new Listener.Mounts(List.of(sockets), List.of()),
                        new RequestMeter(registry),
                        new SecureRandom());
        listener.start();
    }

    /** The bearer is "org role". */
    private static final class ByName implements Authenticator {
        @Override
        public Optional<Principal> principalOf(Credentials credentials) {
            return credentials
                    .bearer()
                    .map(text -> text.split("-", -1))
                    .map(
                            words ->
                                    new Principal.Operator(
                                            new OrgId(words[0]),
                                            new OperatorId("someone"),
                                            Role.valueOf(words[1])));
        }

        @Override
        public boolean isOrg(OrgId org) {
            return false;
        }
    }

    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(listener.url() + path))
                        .method(method, HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        client.close();
        listener.close();
    }
}
