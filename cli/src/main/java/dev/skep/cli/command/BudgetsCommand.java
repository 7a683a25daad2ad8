package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Budgets of this hub. */
@Command(
        name = "budgets",
        mixinStandardHelpOptions = true,
        description = "Lists, adds, changes and removes budgets of this hub.")
public final class BudgetsCommand extends ListCommand {
    public BudgetsCommand(CommandContext context) {
        super(context);
    }

    /** Whom a budget is for: the org, unless one of these is said. */
    static final class For {
        @Option(names = "--agent", paramLabel = "AGENT", description = "One agent: its name or id.")
        @Nullable String agent;

        @Option(names = "--host", paramLabel = "HOST", description = "All agents of one host.")
        @Nullable String host;

        @Option(
                names = "--label",
                paramLabel = "NAME:VALUE",
                description = "All agents of the hosts with this label, such as team:blue.")
        @Nullable String label;
    }

    @Override
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists them with what is spent, held by hosts and free.")
    int list(@Mixin AdminFlags flags) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.get(flags.path("budgets"));
                    answer.fields()
                            .optionalText("closed")
                            .ifPresent(
                                    why ->
                                            context.err()
                                                    .printf(
                                                            "nothing is lent at the moment: %s; 'skep budgets open' ends that%n",
                                                            why));
                    return flags.list(
                            context,
                            answer,
                            "budgets",
                            new TextTable(
                                    "NAME", "FOR", "LIMIT", "SPENT", "HELD", "FREE", "AN HOUR",
                                    "REACHED"),
                            BudgetsCommand::row);
                });
    }

    private static Object[] row(JsonFields budget) {
        return new Object[] {
            budget.text("name"),
            whom(budget),
            limit(budget),
            RunnerCall.dollars(budget, "spentMicros"),
            RunnerCall.dollars(budget, "leasedMicros"),
            RunnerCall.dollars(budget, "freeMicros"),
            RunnerCall.dollars(budget, "microsPerHour"),
            RunnerCall.time(budget, "reachedAt")
        };
    }

    private static String whom(JsonFields budget) {
        String subject = budget.optionalText("subject").orElse("");
        String scope = budget.text("scope");
        return subject.isEmpty() ? scope : scope + " " + subject;
    }

    private static String limit(JsonFields budget) {
        return new SpendLimit(
                        new Dollars(budget.number("amountMicros")),
                        Duration.ofSeconds(budget.number("windowSeconds")))
                .toString();
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows one with each host's part.")
    int show(@Mixin AdminFlags flags, @Parameters(paramLabel = "BUDGET") String name) {
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.get(flags.path("budgets", name));
                    if (flags.json()) {
                        return AdminFlags.raw(context, answer);
                    }
                    JsonFields budget = answer.fields();
                    Map<String, String> lines = new LinkedHashMap<>();
                    lines.put("name", budget.text("name"));
                    lines.put("id", budget.text("id"));
                    lines.put("for", whom(budget));
                    lines.put("limit", limit(budget));
                    lines.put("spent", RunnerCall.dollars(budget, "spentMicros"));
                    lines.put("held by hosts", RunnerCall.dollars(budget, "leasedMicros"));
                    lines.put("free", RunnerCall.dollars(budget, "freeMicros"));
                    lines.put("an hour", RunnerCall.dollars(budget, "microsPerHour"));
                    lines.put("reached", RunnerCall.time(budget, "reachedAt"));
                    lines.put("owner", "hub " + budget.text("hubId"));
                    lines.put(
                            "not limited yet", String.join(" ", budget.textList("unheardHostIds")));
                    int unused = flags.lines(context, lines);
                    TextTable table = new TextTable("HOST", "SPENT", "HELD", "AN HOUR");
                    for (JsonFields host : budget.list("hosts")) {
                        table.row(
                                host.text("hostId"),
                                RunnerCall.dollars(host, "spentMicros"),
                                RunnerCall.dollars(host, "leasedMicros"),
                                RunnerCall.dollars(host, "microsPerHour"));
                    }
                    table.print(context.out());
                    return ExitStatus.OK.status();
                });
    }

    @Command(
            name = "add",
            mixinStandardHelpOptions = true,
            description =
                    "Adds a budget for the org, or for one agent, one host or the hosts with a label.")
    int add(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "NAME", description = "Its name for people.") String name,
            @Parameters(paramLabel = "AMOUNT", description = "In dollars, such as 25.00.")
                    String amount,
            @Option(
                            names = "--per",
                            paramLabel = "TIME",
                            defaultValue = "1d",
                            description =
                                    "The rolling window, such as 8h or 30d (default: ${DEFAULT-VALUE}).")
                    String per,
            @ArgGroup(exclusive = true) For whom) {
        Map<String, Object> wanted = new LinkedHashMap<>();
        wanted.put("name", name);
        wanted.put("amountMicros", dollars(amount));
        wanted.put("windowSeconds", window(per).toSeconds());
        return flags.askHub(
                context,
                api -> {
                    wanted.putAll(subject(api, flags, whom));
                    Answer answer = api.post(flags.path("budgets"), wanted);
                    return flags.say(
                            context,
                            answer,
                            "budget %s is %s for %s"
                                    .formatted(
                                            name, limit(answer.fields()), whom(answer.fields())));
                });
    }

    private static Map<String, Object> subject(
            ApiClient api, AdminFlags flags, @Nullable For whom) {
        if (whom == null) {
            return Map.of("scope", "org");
        }
        if (whom.label != null) {
            return Map.of("scope", "label", "subject", whom.label);
        }
        if (whom.host != null) {
            String id = new FleetLookup(api, flags).host(whom.host).text("id");
            return Map.of("scope", "host", "subject", id);
        }
        return Map.of("scope", "agent", "subject", agent(api, flags, String.valueOf(whom.agent)));
    }

    private static String agent(ApiClient api, AdminFlags flags, String word) {
        List<String> ids =
                api.get(flags.path("view", "agents")).fields().list("rows").stream()
                        .filter(
                                row ->
                                        row.text("id").equals(word)
                                                || row.shown("username").equals(word))
                        .map(row -> row.text("id"))
                        .toList();
        if (ids.size() != 1) {
            throw new SkepException(
                    ids.isEmpty() ? ErrorCode.NOT_FOUND : ErrorCode.CONFLICT,
                    ids.isEmpty()
                            ? "there is no agent %s; the Agents page lists them".formatted(word)
                            : "%d agents are called %s; name one by its id: %s"
                                    .formatted(ids.size(), word, String.join(" or ", ids)));
        }
        return ids.getFirst();
    }

    @Command(
            name = "change",
            mixinStandardHelpOptions = true,
            description = "Changes the amount or the name of a budget; its window stays.")
    int change(
            @Mixin AdminFlags flags,
            @Parameters(paramLabel = "BUDGET") String budget,
            @Option(names = "--amount", paramLabel = "AMOUNT", description = "In dollars.")
                    @Nullable String amount,
            @Option(names = "--name", paramLabel = "NAME", description = "A new name.")
                    @Nullable String name) {
        Map<String, Object> wanted = new LinkedHashMap<>();
        if (amount != null) {
            wanted.put("amountMicros", dollars(amount));
        }
        if (name != null) {
            wanted.put("name", name);
        }
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.call(HttpMethod.PUT, flags.path("budgets", budget), wanted);
                    return flags.say(
                            context,
                            answer,
                            "budget %s is %s"
                                    .formatted(
                                            answer.fields().text("name"), limit(answer.fields())));
                });
    }

    @Command(
            name = "remove",
            mixinStandardHelpOptions = true,
            description = "Removes a budget: it limits nobody any more.")
    int remove(@Mixin AdminFlags flags, @Parameters(paramLabel = "BUDGET") String budget) {
        return flags.askHub(
                context,
                api ->
                        flags.say(
                                context,
                                api.delete(flags.path("budgets", budget)),
                                "budget %s is removed".formatted(budget)));
    }

    @Command(
            name = "open",
            mixinStandardHelpOptions = true,
            description =
                    "After a restore: lends again at once, without waiting for hosts that have not told what they hold. What those still spend is not counted.")
    int open(@Mixin AdminFlags flags) {
        return flags.askHub(
                context,
                api ->
                        flags.say(
                                context,
                                api.post(flags.path("budgets", "open"), Map.of()),
                                "this hub lends of its budgets again"));
    }

    private static long dollars(String amount) {
        try {
            return Dollars.parse(amount).micros();
        } catch (IllegalArgumentException e) {
            throw new SkepException(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
        }
    }

    /** A number and m, h or d. */
    static Duration window(String text) {
        if (text.matches("\\d{1,6}[mhd]")) {
            long number = Long.parseLong(text.substring(0, text.length() - 1));
            return switch (text.charAt(text.length() - 1)) {
                case 'm' -> Duration.ofMinutes(number);
                case 'h' -> Duration.ofHours(number);
                default -> Duration.ofDays(number);
            };
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST,
                "'%s' is not a time; write for example 90m, 8h or 30d".formatted(text));
    }
}
