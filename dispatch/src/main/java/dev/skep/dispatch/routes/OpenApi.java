package dev.skep.dispatch.routes;

import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Describes every route of the process in OpenAPI, from the table that answers them, so that the
 * two cannot differ.
 */
public final class OpenApi implements Route.Source {
    private final Supplier<List<Route>> table;
    private volatile @Nullable String written;

    public OpenApi(Supplier<List<Route>> table) {
        this.table = table;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                        HttpMethod.GET,
                        "/api/openapi.json",
                        Access.anyone(),
                        OrgScope.NONE,
                        this::show));
    }

    /** Written once: any client may request it, and writing takes long. */
    private Response show(Request request) {
        String document = written;
        if (document == null) {
            document = Json.text(document());
            written = document;
        }
        return Response.text(200, "application/json", document);
    }

    private Map<String, Object> document() {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (Route route : table.get()) {
            paths.computeIfAbsent(route.path(), p -> new TreeMap<>())
                    .put(route.method().name().toLowerCase(Locale.ROOT), operation(route));
        }
        return Map.of(
                "openapi",
                "3.1.0",
                "info",
                Map.of("title", "Skep", "version", "0.2.0"),
                "paths",
                paths,
                "components",
                Map.of(
                        "securitySchemes",
                        Map.of(
                                "bearer",
                                Map.of("type", "http", "scheme", "bearer"),
                                "session",
                                Map.of(
                                        "type",
                                        "apiKey",
                                        "in",
                                        "cookie",
                                        "name",
                                        "skep_4280",
                                        "description",
                                        "named by the port that listens")),
                        "schemas",
                        Map.of("Problem", problem())));
    }

    private static Map<String, Object> operation(Route route) {
        Map<String, Object> operation = new TreeMap<>();
        operation.put("operationId", operationId(route));
        operation.put("tags", List.of(tag(route)));
        operation.put("security", security(route));
        operation.put("x-access", whoMayAsk(route.access()));
        operation.put("parameters", parameters(route));
        RouteDescriptions.of(route)
                .ifPresent(
                        note -> {
                            operation.put("summary", note.summary());
                            if (!note.body().isEmpty()) {
                                operation.put("requestBody", body(note.body()));
                            }
                        });
        Map<String, Object> responses = new TreeMap<>();
        responses.put("2XX", Map.of("description", "Done."));
        responses.put(
                "default",
                Map.of(
                        "description",
                        "A problem, RFC 9457.",
                        "content",
                        Map.of(
                                "application/problem+json",
                                Map.of("schema", Map.of("$ref", "#/components/schemas/Problem")))));
        operation.put("responses", responses);
        return operation;
    }

    private static List<Map<String, Object>> parameters(Route route) {
        List<Map<String, Object>> parameters = new ArrayList<>();
        for (String name : route.parameters()) {
            parameters.add(parameter(name, "path", true));
        }
        RouteDescriptions.of(route)
                .ifPresent(
                        note ->
                                note.query()
                                        .forEach(
                                                name ->
                                                        parameters.add(
                                                                parameter(name, "query", false))));
        return parameters;
    }

    private static Map<String, Object> parameter(String name, String in, boolean required) {
        return Map.of(
                "name", name, "in", in, "required", required, "schema", Map.of("type", "string"));
    }

    private static Map<String, Object> body(List<String> fields) {
        Map<String, Object> properties = new TreeMap<>();
        fields.forEach(
                field -> properties.put(field, Map.of("type", RouteDescriptions.type(field))));
        return Map.of(
                "content",
                Map.of(
                        "application/json",
                        Map.of("schema", Map.of("type", "object", "properties", properties))));
    }

    private static List<Map<String, Object>> security(Route route) {
        return route.access().allowsAnonymous()
                ? List.of()
                : List.of(Map.of("bearer", List.of()), Map.of("session", List.of()));
    }

    /** Callers by kind, operators by their least role; none: only this machine's command line. */
    private static List<String> whoMayAsk(Access access) {
        return access.kinds().stream()
                .map(kind -> kind == Access.Kind.OPERATOR ? access.role().name() : kind.name())
                .map(word -> word.toLowerCase(Locale.ROOT))
                .sorted()
                .toList();
    }

    private static String operationId(Route route) {
        return route.method().name().toLowerCase(Locale.ROOT)
                + route.path().replaceAll("[{}]", "").replaceAll("[/.-]+", "_");
    }

    private static String tag(Route route) {
        String[] segments = route.path().split("/", -1);
        boolean ofOrg = segments.length > 4 && segments[2].equals("orgs");
        return ofOrg ? segments[4] : segments.length > 2 ? segments[2] : segments[1];
    }

    private static Map<String, Object> problem() {
        return Map.of(
                "type",
                "object",
                "properties",
                Map.of(
                        "type", Map.of("type", "string"),
                        "title", Map.of("type", "string"),
                        "status", Map.of("type", "integer"),
                        "detail", Map.of("type", "string"),
                        "code", Map.of("type", "string")));
    }
}
