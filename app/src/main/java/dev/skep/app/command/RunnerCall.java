package dev.skep.app.command;

import dev.skep.app.assembly.AdminApi;
import dev.skep.kernel.error.Exit;
import dev.skep.runner.money.Dollars;
import dev.skep.transport.client.Api;
import dev.skep.transport.route.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What the commands about agents share: the runner's API, running or stopped, and how to print. */
final class RunnerCall {
    @Mixin private SettingFlags flags = new SettingFlags();

    @Option(names = "--json", description = "Prints JSON instead of a table.")
    private boolean json;

    /** Prints what a path answers: as JSON, or row by row. */
    int list(CommandContext context, String path, Table table, Function<JsonNode, Object[]> row) {
        return with(
                context,
                api -> {
                    byte[] answer = api.get(path).json();
                    if (json) {
                        context.out().println(new String(answer, StandardCharsets.UTF_8));
                    } else {
                        Json.tree(answer).forEach(each -> table.row(row.apply(each)));
                        table.print(context.out());
                    }
                    return Exit.OK.status();
                });
    }

    /** Does something and prints what came of it. */
    int act(CommandContext context, String path, Map<String, ?> body) {
        return with(
                context,
                api -> {
                    byte[] answer = api.post(path, body).json();
                    context.out()
                            .println(
                                    json
                                            ? new String(answer, StandardCharsets.UTF_8)
                                            : text(Json.tree(answer), "message"));
                    return Exit.OK.status();
                });
    }

    int with(CommandContext context, Function<Api, Integer> use) {
        try (AdminApi api = AdminApi.ofRunner(context.configuration(flags))) {
            return use.apply(api);
        }
    }

    boolean json() {
        return json;
    }

    /** A path with the queries that have a value. */
    static String path(String base, Map<String, ?> queries) {
        String query =
                queries.entrySet().stream()
                        .filter(each -> !String.valueOf(each.getValue()).isEmpty())
                        .map(each -> each.getKey() + "=" + AdminFlags.encoded(String.valueOf(each.getValue())))
                        .sorted()
                        .collect(Collectors.joining("&"));
        return query.isEmpty() ? base : base + "?" + query;
    }

    static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() ? "" : value.asString();
    }

    /** A stored time as people read it. */
    static String time(JsonNode node, String field) {
        String text = text(node, field);
        return text.length() < 19 ? text : text.substring(0, 19).replace('T', ' ');
    }

    /** Micro-dollars as people read them. */
    static String dollars(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isNumber() ? new Dollars(value.longValue()).toString() : "";
    }

}
