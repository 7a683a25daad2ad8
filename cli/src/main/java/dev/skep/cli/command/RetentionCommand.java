package dev.skep.cli.command;

import dev.skep.cli.admin.AdminApi;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What is purged, what delays that, and an operator's decision on skipped time. */
@Command(
        name = "retention",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the clock by which the rows of each database age, and what delays the deletion of old rows.",
            "Where a clock jumped over more than 7 days, 'passed' says that the machine was off, 'dismiss' that its clock was wrong."
        })
public final class RetentionCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private Asking asking = new Asking();

    public RetentionCommand(CommandContext context) {
        this.context = context;
    }

    /** Whose databases, and how to print. */
    static final class Asking {
        @Mixin private DatabaseFlags settings = new DatabaseFlags();

        @Option(names = "--json", description = "Print JSON.")
        private boolean json;
    }

    /** Which of two databases, and that it is meant. */
    static final class Deciding {
        @Mixin private Asking asking = new Asking();

        @Parameters(
                paramLabel = "DATABASE",
                arity = "0..1",
                defaultValue = "",
                description = "runner or hub; needed if there are both.")
        private String database = "";

        @Option(names = "--yes", description = "Do not ask.")
        private boolean yes;
    }

    @Override
    public Integer call() {
        try (AdminApi api = open(asking)) {
            Answer answer = api.get("/api/retention");
            return asking.json ? AdminFlags.raw(context, answer) : show(answer);
        }
    }

    @Command(
            name = "passed",
            mixinStandardHelpOptions = true,
            description =
                    "The time did pass: rows age by it, and old ones are deleted in the next hours.")
    int passed(@Mixin Deciding deciding) {
        return decide(
                deciding,
                "passed",
                "rows of the %s database become %s older at once, and what is then too old goes, so much an hour",
                "rows of the %s database are %s older");
    }

    @Command(
            name = "dismiss",
            mixinStandardHelpOptions = true,
            description = "The clock was wrong: the time is ignored, and rows age as before.")
    int dismiss(@Mixin Deciding deciding) {
        return decide(
                deciding,
                "dismiss",
                "rows of the %s database do not age by the %s that its clock jumped over",
                "rows of the %s database have not aged by %s");
    }

    private AdminApi open(Asking how) {
        return context.admin(context.configuration(how.settings), HostKind.HUB);
    }

    private int show(Answer answer) {
        List<JsonFields> databases = answer.fields().list("databases");
        TextTable table = new TextTable("DATABASE", "AT WORK", "HELD", "LAST ROUND", "NAME");
        for (JsonFields each : databases) {
            table.row(
                    each.shown("database"),
                    shown(seconds(each, "clockSeconds")),
                    shown(seconds(each, "heldSeconds")),
                    each.optionalNumber("secondsSinceRound")
                            .map(ago -> shown(Duration.ofSeconds(ago)) + " ago")
                            .orElse("none yet"),
                    each.shown("name"));
        }
        table.print(context.out());
        databases.forEach(this::reasons);
        return ExitStatus.OK.status();
    }

    /** What old rows of a database wait for, a line for each reason. */
    private void reasons(JsonFields database) {
        String name = database.shown("database");
        Duration held = seconds(database, "heldSeconds");
        if (!held.isZero()) {
            context.out()
                    .printf(
                            "%s: its clock jumped over %s. If the machine was off for so long: skep retention passed %s; if the clock was wrong: skep retention dismiss %s%n",
                            name, shown(held), name, name);
        }
        JsonFields hourly = database.object("hourly").orElseThrow();
        for (JsonFields table : database.list("waiting")) {
            if (table.number("waiting") > 0) {
                context.out()
                        .printf(
                                "%s: %s has %,d old rows for the next hours; an hour takes at most the largest of %d %% of a table, %,d rows, and %d times what came in it%n",
                                name,
                                table.shown("table"),
                                table.number("waiting"),
                                hourly.number("percent"),
                                hourly.number("rows"),
                                hourly.number("timesArrived"));
            }
            if (table.number("notPulled") > 0) {
                context.out()
                        .printf(
                                "%s: %s has %,d old rows that a hub has not taken; see: skep sync, skep quarantine%n",
                                name, table.shown("table"), table.number("notPulled"));
            }
        }
    }

    private int decide(Deciding deciding, String verb, String question, String done) {
        try (AdminApi api = open(deciding.asking)) {
            JsonFields database = chosen(deciding.database, api.get("/api/retention").fields());
            String name = database.text("database");
            String held = shown(seconds(database, "heldSeconds"));
            if (!deciding.yes
                    && database.number("heldSeconds") > 0
                    && !agrees(question.formatted(name, held))) {
                return ExitStatus.FAILURE.status();
            }
            Answer answer = api.post("/api/retention/" + name + "/" + verb, Map.of());
            if (deciding.asking.json) {
                return AdminFlags.raw(context, answer);
            }
            context.out().println(done.formatted(name, held));
            return ExitStatus.OK.status();
        }
    }

    private static JsonFields chosen(String name, JsonFields all) {
        List<JsonFields> databases = all.list("databases");
        if (name.isEmpty() && databases.size() == 1) {
            return databases.getFirst();
        }
        List<String> names = databases.stream().map(each -> each.text("database")).toList();
        return databases.stream()
                .filter(each -> each.text("database").equals(name))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "say which database: " + String.join(" or ", names)));
    }

    private boolean agrees(String question) {
        if (!CommandContext.interactive()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, question + "; if that is meant, say --yes");
        }
        context.err().println("skep: " + question);
        return Optional.ofNullable(System.console())
                .map(console -> console.readLine("Is that meant? [y/N] "))
                .filter(said -> said.strip().equalsIgnoreCase("y"))
                .isPresent();
    }

    private static Duration seconds(JsonFields fields, String name) {
        return Duration.ofSeconds(fields.number(name));
    }

    private static String shown(Duration time) {
        if (time.toDays() > 1) {
            return time.toDays() + " days";
        }
        return time.toHours() > 1 ? time.toHours() + " h" : time.toMinutes() + " min";
    }
}
