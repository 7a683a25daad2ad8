package dev.skep.testkit.hub;

import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Schemas;
import dev.skep.transport.describe.Shape;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteInterceptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares every answer that a route gives in a test, and every body and query that it takes, with
 * what the route says of itself. What differs fails the request with 500, and with it the test; the
 * log says where. Being on the class path of a module's tests is enough.
 */
public final class DescribedCalls implements RouteInterceptor {
    private static final AtomicLong COMPARED = new AtomicLong();
    private static final String JSON = "application/json";

    /** Set for tests in the root pom, and not for the processes that they start and for figures. */
    private static final boolean ON = Boolean.getBoolean("skep.calls.compared");

    private static final Map<Shape, Described> SCHEMAS = new ConcurrentHashMap<>();

    /** A shape's schema with those that it refers to, complete and no longer changed. */
    private record Described(Map<String, Object> schema, SchemaCheck check) {
        static Described of(Shape shape) {
            Schemas schemas = new Schemas();
            return new Described(schemas.of(shape), new SchemaCheck(schemas));
        }
    }

    /** How many answers were compared so far in this process. */
    public static long compared() {
        return COMPARED.get();
    }

    @Override
    public Response answer(Route route, Request request) {
        Operation as = route.description().orElse(null);
        if (as == null || !ON) {
            return route.handler().answer(request);
        }
        KeptBody body = new KeptBody(request.body());
        Response response = route.handler().answer(request.withBody(body));
        if (response.status() / 100 != 2) {
            return response;
        }
        compare(route, as, response);
        request.query().keySet().stream()
                .filter(name -> as.query().stream().noneMatch(query -> query.name().equals(name)))
                .findFirst()
                .ifPresent(
                        name -> {
                            throw differs(
                                    route, "query", List.of("?" + name + " is not described"));
                        });
        byte[] sent = body.kept;
        as.body()
                .filter(shape -> sent.length > 0 && !takesUnknownFields(route))
                .ifPresent(shape -> compare(route, "body", shape, sent));
        COMPARED.incrementAndGet();
        return response;
    }

    /** Hosts of later versions may say more when they come in; strangers try it. */
    private static boolean takesUnknownFields(Route route) {
        return route.path().startsWith("/api/link/");
    }

    private static void compare(Route route, Operation as, Response response) {
        Operation.Answer answer = as.answers().get(response.status());
        if (answer == null) {
            throw differs(
                    route, "answer", List.of("status " + response.status() + " is not described"));
        }
        if (!answer.contentType().equals(response.contentType())) {
            throw differs(
                    route,
                    "answer",
                    List.of(
                            "content is %s, not %s"
                                    .formatted(response.contentType(), answer.contentType())));
        }
        Shape shape = answer.shape();
        if (shape != null && response.contentType().equals(JSON)) {
            compare(route, "answer", shape, bytes(response));
        }
    }

    /** JSON is written whole before it is sent, so it can be written twice. */
    private static byte[] bytes(Response response) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            response.body().writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static void compare(Route route, String what, Shape shape, byte[] json) {
        Described described = SCHEMAS.computeIfAbsent(shape, Described::of);
        Object value = Json.values(new String(json, StandardCharsets.UTF_8));
        List<String> wrong = described.check().differences(described.schema(), value);
        if (!wrong.isEmpty()) {
            throw differs(route, what, wrong);
        }
    }

    private static IllegalStateException differs(Route route, String what, List<String> how) {
        String said =
                "%s: its %s is not as the route describes it: %s"
                        .formatted(route, what, String.join("; ", how));
        // The log of some modules' tests goes nowhere.
        System.err.println(said);
        return new IllegalStateException(said);
    }

    /** Hands a body on as it is asked for, and keeps what was read. */
    private static final class KeptBody implements Request.Body {
        private final Request.Body body;
        private byte[] kept = new byte[0];

        KeptBody(Request.Body body) {
            this.body = body;
        }

        @Override
        public byte[] bytes() {
            kept = body.bytes();
            return kept;
        }

        @Override
        public InputStream stream() {
            return new ByteArrayInputStream(bytes());
        }
    }
}
