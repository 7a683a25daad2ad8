package dev.skep.app.mcp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Calls routes of this process with the identity of whoever asked. Thread-safe. */
final class RouteCaller {
    private final Supplier<Router> routes;

    /**
     * Calls nothing yet.
     *
     * @param routes all routes of the process, once there are all
     */
    RouteCaller(Supplier<Router> routes) {
        this.routes = routes;
    }

    /** Whether this process has such a route below orgs. */
    boolean has(HttpMethod method, String path) {
        return route(method, path).isPresent();
    }

    /** Whether a route lets the caller in; it may refuse all the same. */
    boolean admits(HttpMethod method, String path, Request asked) {
        return route(method, path)
                .filter(route -> route.access().allows(asked.principal()))
                .isPresent();
    }

    /** The route, if this process has it. */
    Optional<Route> route(HttpMethod method, String path) {
        return routes.get().route(method, "/api/orgs/org" + path);
    }

    /** The JSON that a route of the caller's org answers; throws what it throws. */
    String get(Request asked, String path, Map<String, String> query) {
        return call(asked, HttpMethod.GET, path, query, "");
    }

    String call(
            Request asked, HttpMethod method, String path, Map<String, String> query, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Response response =
                routes.get()
                        .answer(
                                Request.of(
                                        method,
                                        "/api/orgs/" + asked.org().value() + path,
                                        query,
                                        asked.credentials(),
                                        new Sent(bytes)));
        try {
            var out = new ByteArrayOutputStream();
            response.body().writeTo(out);
            if (response.status() >= 400) {
                throw refused(out.toString(StandardCharsets.UTF_8));
            }
            return out.size() == 0 ? "{}" : out.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A refusal that says more than its words; the words are what a model needs. */
    private static SkepException refused(String problem) {
        JsonFields said = Json.fields(problem);
        return new SkepException(
                ErrorCode.named(said.shown("code")).orElse(ErrorCode.CONFLICT),
                said.shown("detail"));
    }

    /** A text as one segment of a path. */
    static String segment(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    private record Sent(byte[] bytes) implements Request.Body {
        @Override
        public InputStream stream() {
            return new ByteArrayInputStream(bytes);
        }
    }
}
