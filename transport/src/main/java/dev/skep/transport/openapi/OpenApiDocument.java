package dev.skep.transport.openapi;

import dev.skep.transport.describe.Operation;
import dev.skep.transport.describe.Schemas;
import dev.skep.transport.http.Problem;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Writes routes as an OpenAPI 3.1 document. For one document only. */
final class OpenApiDocument {
    private static final String PROBLEM = "#/components/responses/Problem";

    private final Schemas schemas = new Schemas();
    private final Examples examples = new Examples(schemas);

    Map<String, Object> of(List<Route> routes) {
        Map<String, Map<String, Object>> paths = new TreeMap<>();
        for (Route route : routes) {
            paths.computeIfAbsent(route.path(), p -> new TreeMap<>())
                    .put(word(route.method().name()), operation(route));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put(
                "info",
                Map.of(
                        "title",
                        "Skep",
                        "version",
                        "0.2.0",
                        "description",
                        "A self-hosted control plane for AI agents on many machines."));
        document.put("servers", List.of(Map.of("url", "/")));
        document.put("paths", paths);
        document.put("components", components());
        return document;
    }

    private Map<String, Object> components() {
        Map<String, Object> problem = schemas.of(Problem.class);
        return Map.of(
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
                                "skep",
                                "description",
                                "what signing in sets; its name goes on with one of the hub's own")),
                "responses",
                Map.of(
                        "Problem",
                        Map.of(
                                "description",
                                "A problem, RFC 9457, with a stable code.",
                                "content",
                                Map.of(Problem.CONTENT_TYPE, content(problem)))),
                "schemas",
                schemas.components());
    }

    private Map<String, Object> content(Map<String, Object> schema) {
        return Map.of("schema", schema, "example", examples.of(schema));
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> operation = new TreeMap<>();
        operation.put("operationId", operationId(route));
        operation.put("tags", List.of(tag(route)));
        operation.put("security", security(route));
        operation.put("x-access", whoMayAsk(route.access()));
        Operation as = route.description().orElse(Operation.of(""));
        if (!as.summary().isEmpty()) {
            operation.put("summary", as.summary());
        }
        operation.put("parameters", parameters(route, as));
        as.body().ifPresent(body -> operation.put("requestBody", body(as, schemas.of(body))));
        operation.put("responses", responses(as));
        return operation;
    }

    private Map<String, Object> body(Operation as, Map<String, Object> schema) {
        Object example = as.example().orElseGet(() -> examples.of(schema));
        return Map.of(
                "required",
                hasRequired(schema),
                "content",
                Map.of("application/json", Map.of("schema", schema, "example", example)));
    }

    /** No body at all counts as an object without members. */
    private boolean hasRequired(Map<String, Object> schema) {
        return schemas.resolve(schema).containsKey("required");
    }

    private Map<String, Object> responses(Operation as) {
        Map<String, Object> responses = new TreeMap<>();
        as.answers()
                .forEach((status, answer) -> responses.put(String.valueOf(status), shown(answer)));
        if (responses.isEmpty()) {
            responses.put("2XX", Map.of("description", "Done."));
        }
        responses.put("4XX", Map.of("$ref", PROBLEM));
        responses.put("5XX", Map.of("$ref", PROBLEM));
        return responses;
    }

    private Map<String, Object> shown(Operation.Answer answer) {
        if (answer.contentType().isEmpty()) {
            return Map.of("description", "Done.");
        }
        Map<String, Object> content =
                answer.shape() == null
                        ? Map.of("schema", Map.of("type", "string"))
                        : content(schemas.of(answer.shape()));
        return Map.of("description", "Done.", "content", Map.of(answer.contentType(), content));
    }

    private List<Map<String, Object>> parameters(Route route, Operation as) {
        List<Map<String, Object>> parameters = new ArrayList<>();
        for (String name : route.parameters()) {
            parameters.add(
                    Map.of(
                            "name",
                            name,
                            "in",
                            "path",
                            "required",
                            true,
                            "schema",
                            Map.of("type", "string")));
        }
        for (Operation.Query query : as.query()) {
            parameters.add(
                    Map.of(
                            "name",
                            query.name(),
                            "in",
                            "query",
                            "description",
                            query.meaning(),
                            "required",
                            false,
                            "schema",
                            schemas.of(query.type())));
        }
        return parameters;
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
                .map(OpenApiDocument::word)
                .sorted()
                .toList();
    }

    private static String operationId(Route route) {
        return word(route.method().name())
                + route.path().replaceAll("[{}]", "").replaceAll("[/.-]+", "_");
    }

    private static String tag(Route route) {
        String[] segments = route.path().split("/", -1);
        boolean ofOrg = segments.length > 4 && segments[2].equals("orgs");
        return ofOrg ? segments[4] : segments.length > 2 ? segments[2] : segments[1];
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
