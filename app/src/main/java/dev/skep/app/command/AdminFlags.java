package dev.skep.app.command;

import dev.skep.app.assembly.AdminApi;
import dev.skep.app.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.error.Exit;
import dev.skep.transport.client.Api.Answer;
import dev.skep.transport.route.Fields;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the commands share that ask the running process, or the database where none runs. */
final class AdminFlags {
    @Mixin private DatabaseFlags settings = new DatabaseFlags();

    @Option(names = "--org", paramLabel = "ORG", description = "The org (default: default).")
    private String org = "default";

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    Configuration configuration(CommandContext context) {
        return context.configuration(settings);
    }

    /** Opens the way to the data dir for one command about a hub. */
    int ask(CommandContext context, ToIntFunction<AdminApi> command) {
        return ask(context, HostKind.HUB, command);
    }

    /** For one command about this machine, which in an empty data dir is a runner to be. */
    int askHost(CommandContext context, ToIntFunction<AdminApi> command) {
        return ask(context, HostKind.RUNNER, command);
    }

    private int ask(CommandContext context, HostKind wanted, ToIntFunction<AdminApi> command) {
        try (AdminApi api = AdminApi.open(configuration(context), wanted)) {
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

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Prints a list as aligned columns, or what came as it came. */
    int list(CommandContext context, Answer answer, String list, String... columns) {
        if (json) {
            return raw(context, answer);
        }
        Table table =
                new Table(Arrays.stream(columns).map(AdminFlags::head).toArray(String[]::new));
        for (Fields row : answer.fields().list(list)) {
            table.row(Arrays.stream(columns).map(row::shown).toArray());
        }
        table.print(context.out());
        return Exit.OK.status();
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
        Fields fields = answer.fields();
        for (String name : names) {
            context.out().printf("%-16s %s%n", name, fields.shown(name));
        }
        return Exit.OK.status();
    }

    /** Prints a line for people, or what came. */
    int say(CommandContext context, Answer answer, String line) {
        if (json) {
            return raw(context, answer);
        }
        context.out().println(line);
        return Exit.OK.status();
    }

    private static int raw(CommandContext context, Answer answer) {
        context.out().println(new String(answer.json(), StandardCharsets.UTF_8));
        return Exit.OK.status();
    }
}
