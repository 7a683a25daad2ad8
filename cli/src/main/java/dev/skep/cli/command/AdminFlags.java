package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.profile.Profile;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands share that ask the running process, or the database where none runs. */
final class AdminFlags {
    @Mixin private DatabaseFlags settings = new DatabaseFlags();

    @Option(
            names = "--org",
            paramLabel = "ORG",
            description = "The org (default: default; with --hub that of the profile).")
    private Optional<String> givenOrg = Optional.empty();

    private String org = "default";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    Configuration configuration(CommandContext context) {
        return context.configuration(settings);
    }

    boolean json() {
        return json;
    }

    /** Opens the way to the data dir for one command about a hub. */
    int ask(CommandContext context, ToIntFunction<AdminApi> command) {
        return ask(context, HostKind.HUB, command);
    }

    /** As {@link #ask}, but a data dir without a hub is distinguished from a wrong id. */
    int askHub(CommandContext context, ToIntFunction<AdminApi> command) {
        return ask(
                context,
                api -> {
                    try {
                        return command.applyAsInt(api);
                    } catch (SkepException e) {
                        throw e.code() == ErrorCode.NOT_FOUND
                                        && !isRemote(context)
                                        && isWithoutHub(api)
                                ? noHub(context)
                                : e;
                    }
                });
    }

    private static boolean isRemote(CommandContext context) {
        return context.remote().isPresent();
    }

    private boolean isWithoutHub(AdminApi api) {
        // Every process has this list; it answers with an error if the org is unknown.
        api.get(path("audit") + "?limit=1");
        try {
            api.get(path("hosts") + "?limit=1");
            return false;
        } catch (SkepException e) {
            return e.code() == ErrorCode.NOT_FOUND;
        }
    }

    private SkepException noHub(CommandContext context) {
        return new SkepException(
                ErrorCode.NOT_FOUND,
                "there is no hub in %s; ask where 'skep up' or 'skep hub' runs"
                        .formatted(configuration(context).dataDir()));
    }

    /** For one command about this machine, which in an empty data dir will be a runner. */
    int askHost(CommandContext context, ToIntFunction<AdminApi> command) {
        return ask(context, HostKind.RUNNER, command);
    }

    private int ask(CommandContext context, HostKind wanted, ToIntFunction<AdminApi> command) {
        org = givenOrg.or(() -> context.remote().map(Profile::org)).orElse("default");
        try (AdminApi api = context.admin(configuration(context), wanted)) {
            return command.applyAsInt(api);
        }
    }

    /** A path below the org's. */
    String path(String... segments) {
        StringBuilder path = new StringBuilder("/api/orgs/").append(encoded(org));
        for (String segment : segments) {
            path.append('/').append(encoded(segment));
        }
        return path.toString();
    }

    /** For a path, where a tilde stands for itself: {@code vm~RQGE}. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%7E", "~");
    }

    /** Prints a list as aligned columns, or what came as it came. */
    int list(CommandContext context, Answer answer, String list, String... columns) {
        TextTable table =
                new TextTable(Arrays.stream(columns).map(AdminFlags::head).toArray(String[]::new));
        return list(
                context,
                answer,
                list,
                table,
                row -> Arrays.stream(columns).map(column -> shown(row, column)).toArray());
    }

    private static String shown(JsonFields row, String column) {
        if (column.equals("allows")) {
            // A host that reports nothing may still allow something.
            return row.json(column).isEmpty()
                    ? ""
                    : Consents.reported(row.textList(column)).toString();
        }
        boolean isTime = column.endsWith("At") || List.of("at", "since").contains(column);
        return isTime ? RunnerCall.time(row, column) : row.shown(column);
    }

    /** Prints a list whose columns are not its fields. */
    int list(
            CommandContext context,
            Answer answer,
            String list,
            TextTable table,
            Function<JsonFields, Object[]> row) {
        if (json) {
            return raw(context, answer);
        }
        answer.fields().list(list).forEach(each -> table.row(row.apply(each)));
        table.print(context.out());
        return ExitStatus.OK.status();
    }

    /** {@code enrolledAt} is ENROLLED AT. */
    private static String head(String column) {
        return column.replaceAll("(?=[A-Z])", " ").toUpperCase(Locale.ROOT);
    }

    /** Prints one thing, a line for each of its fields. */
    int one(CommandContext context, Answer answer, String... names) {
        if (json) {
            return raw(context, answer);
        }
        Map<String, String> lines = new LinkedHashMap<>();
        for (String name : names) {
            lines.put(name, answer.fields().shown(name));
        }
        return lines(context, lines);
    }

    /** Prints what is known of one thing. */
    int lines(CommandContext context, Map<String, String> lines) {
        lines.forEach(
                (name, value) -> {
                    if (!value.isEmpty()) {
                        context.out().printf("%-16s %s%n", name, value);
                    }
                });
        return ExitStatus.OK.status();
    }

    /** Prints a line for people, or what came. */
    int say(CommandContext context, Answer answer, String line) {
        if (json) {
            return raw(context, answer);
        }
        context.out().println(line);
        return ExitStatus.OK.status();
    }

    static int raw(CommandContext context, Answer answer) {
        context.out().println(new String(answer.json(), StandardCharsets.UTF_8));
        return ExitStatus.OK.status();
    }
}
