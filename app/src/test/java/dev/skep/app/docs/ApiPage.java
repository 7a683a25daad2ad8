package dev.skep.app.docs;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every route of the whole product, from the OpenAPI document it serves of itself. */
final class ApiPage {
    private ApiPage() {}

    static String write(String earlier, String openApi) {
        Markdown page = new Markdown(earlier);
        page.block("# HTTP API");
        page.block(
                """
                The routes of `skep up`; a runner or a hub alone has a part of them. `GET /api/openapi.json` returns the same as an OpenAPI document. Bodies and answers are
                JSON, errors are problem documents with a stable [code](errors.md). *Who* is the least that a caller must be: an operator's role (session cookie), a `host`
                (its token) or an `agent` (its key) as a bearer token, or any client on this machine (`loopback`); the command line of the machine may call
                everything. Only members of an org can reach its routes. How to work with jobs: [jobs.md](../jobs.md).""");
        Map<String, List<Call>> byTag = new TreeMap<>();
        calls(openApi)
                .forEach(
                        call ->
                                byTag.merge(
                                        call.tag(),
                                        List.of(call),
                                        (a, b) -> Stream.concat(a.stream(), b.stream()).toList()));
        byTag.forEach((tag, calls) -> section(page, tag, calls));
        return page.toString();
    }

    private record Call(
            String method, String path, String tag, String who, String takes, String summary) {}

    private static List<Call> calls(String openApi) {
        JsonNode document = JsonMapper.shared().readTree(openApi);
        JsonNode schemas = document.path("components").path("schemas");
        JsonNode paths = document.path("paths");
        return paths.properties().stream()
                .flatMap(
                        path ->
                                path.getValue().properties().stream()
                                        .map(
                                                method ->
                                                        call(
                                                                method.getKey(),
                                                                path.getKey(),
                                                                method.getValue(),
                                                                schemas)))
                .toList();
    }

    private static Call call(String method, String path, JsonNode operation, JsonNode schemas) {
        String who =
                String.join(
                        ", ",
                        operation.path("x-access").valueStream().map(JsonNode::asString).toList());
        List<String> query =
                operation
                        .path("parameters")
                        .valueStream()
                        .filter(parameter -> parameter.path("in").asString().equals("query"))
                        .map(parameter -> "`?" + parameter.path("name").asString() + "`")
                        .toList();
        String schema =
                operation
                        .path("requestBody")
                        .path("content")
                        .path("application/json")
                        .path("schema")
                        .path("$ref")
                        .asString("");
        List<String> body =
                schemas.path(schema.substring(schema.lastIndexOf('/') + 1))
                        .path("properties")
                        .propertyStream()
                        .map(property -> "`" + property.getKey() + "`")
                        .toList();
        return new Call(
                method.toUpperCase(Locale.ROOT),
                path,
                operation.path("tags").path(0).asString(),
                who.isEmpty() ? "command line" : who,
                String.join(" ", Stream.concat(query.stream(), body.stream()).toList()),
                operation.path("summary").asString(""));
    }

    private static void section(Markdown page, String tag, List<Call> calls) {
        page.block("## " + tag);
        page.head("call", "who", "takes", "does");
        for (Call call : calls) {
            String name = "`%s %s`".formatted(call.method(), call.path());
            if (call.summary().isEmpty()) {
                page.describedRow(1, name, call.who(), call.takes());
            } else {
                page.row(name, call.who(), call.takes(), call.summary());
            }
        }
        page.line("");
    }
}
