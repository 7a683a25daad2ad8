package dev.skep.transport.http;

import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.Method;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Reply;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
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
    static {
        // The client keeps its own Host header unless told that tests may set it.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "host,origin");
    }

    final Listener listener;
    private final HttpClient client = HttpClient.newHttpClient();

    TestListener(ListenerConfig config, SocketRoute... sockets) {
        Meters registry = new Meters();
        List<Route> routes = new ArrayList<>(new HealthRoutes(registry, ReadyChecks.NONE).routes());
        routes.add(
                new Route(
                        Method.POST,
                        "/api/echo",
                        Access.anyone(),
                        OrgScope.NONE,
                        request -> Reply.json(Map.of("size", request.body().bytes().length))));
        routes.add(
                new Route(
                        Method.GET,
                        "/api/orgs/{org}/secret",
                        Access.operators(Role.OPERATOR),
                        OrgScope.PATH,
                        request -> Reply.json(Map.of("org", request.org().value()))));
        routes.add(
                new Route(
                        Method.GET,
                        "/api/from",
                        Access.anyone(),
                        OrgScope.NONE,
                        request ->
                                Reply.json(
                                        Map.of(
                                                "from",
                                                request.from(),
                                                "here",
                                                request.credentials().loopback()))));
        routes.add(
                new Route(
                        Method.GET,
                        "/api/cookie",
                        Access.anyone(),
                        OrgScope.NONE,
                        request ->
                                SessionCookie.set(
                                        Reply.json(Map.of()), "secret", Duration.ofMinutes(1))));
        routes.add(
                new Route(
                        Method.POST,
                        "/api/proof",
                        Access.proving(),
                        OrgScope.NONE,
                        request -> Reply.json(Map.of())));
        routes.add(
                new Route(
                        Method.GET,
                        "/api/broken",
                        Access.anyone(),
                        OrgScope.NONE,
                        request -> {
                            throw new IllegalStateException("skep_secret_in_message");
                        }));
        listener =
                new Listener(
                        config,
                        new Dispatch(new RouteTable(routes), new ByName()),
                        new Listener.Mounts(List.of(sockets), List.of()),
                        new RequestMeter(registry),
                        new SecureRandom());
        listener.start();
    }

    /** The bearer is "org role". */
    private static final class ByName implements Authentication {
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
