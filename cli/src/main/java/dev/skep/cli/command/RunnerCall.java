package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.models.money.Dollars;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands about agents share: the runner's API, running or stopped, and how to print. */
final class RunnerCall {
    @Mixin private DataDirFlag flags = new DataDirFlag();

    @Option(names = "--json", description = "Prints JSON instead of a table.")
    private boolean json;

    /** Prints the list a path answers: as JSON, or row by row. */
    int list(
            CommandContext context,
            String path,
            String list,
            TextTable table,
            Function<JsonFields, Object[]> row) {
        return with(
                context,
                api -> {
                    Answer answer = api.get(path);
                    if (json) {
                        context.out().println(text(answer));
                    } else {
                        answer.fields().list(list).forEach(each -> table.row(row.apply(each)));
                        table.print(context.out());
                    }
                    return ExitStatus.OK.status();
                });
    }

    /** Does something and prints what came of it. */
    int act(CommandContext context, String path, Map<String, ?> body) {
        return with(context, api -> act(context, api, path, body));
    }

    /** The same where the API is open already. */
    int act(CommandContext context, ApiClient api, String path, Map<String, ?> body) {
        Answer answer = api.post(path, body);
        context.out().println(json ? text(answer) : answer.fields().shown("message"));
        return ExitStatus.OK.status();
    }

    int with(CommandContext context, ToIntFunction<ApiClient> use) {
        try (AdminApi api = context.admin(context.configuration(flags), HostKind.RUNNER)) {
            return use.applyAsInt(api);
        }
    }

    Configuration configuration(CommandContext context) {
        return context.configuration(flags);
    }

    boolean json() {
        return json;
    }

    static String text(Answer answer) {
        return new String(answer.json(), StandardCharsets.UTF_8);
    }

    /** A path with the queries that have a value. */
    static String path(String base, Map<String, ?> queries) {
        String query =
                queries.entrySet().stream()
                        .filter(each -> !String.valueOf(each.getValue()).isEmpty())
                        .map(
                                each ->
                                        each.getKey()
                                                + "="
                                                + AdminFlags.encoded(
                                                        String.valueOf(each.getValue())))
                        .sorted()
                        .collect(Collectors.joining("&"));
        return query.isEmpty() ? base : base + "?" + query;
    }

    /** A stored time as people read it. */
    static String time(JsonFields fields, String name) {
        String text = fields.shown(name);
        return text.length() < 19 ? text : text.substring(0, 19).replace('T', ' ');
    }

    /** Micro-dollars as people read them. */
    static String dollars(JsonFields fields, String name) {
        return fields.optionalNumber(name).map(micros -> new Dollars(micros).toString()).orElse("");
    }
}
