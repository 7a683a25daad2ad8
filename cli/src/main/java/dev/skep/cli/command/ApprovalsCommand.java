package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.runner.approval.ApprovalLookup;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists commands that wait for a person, and decides about them. */
@Command(
        name = "approvals",
        mixinStandardHelpOptions = true,
        description = "Lists commands that wait for your approval; approve or deny them.")
public final class ApprovalsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private RunnerCall call = new RunnerCall();

    @Option(names = "--all", description = "Shows decided ones too.")
    private boolean all;

    public ApprovalsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return call.list(
                context,
                RunnerCall.path("/api/runner/approvals", Map.of("all", all ? "yes" : "")),
                "approvals",
                new TextTable(
                        "ID", "AGENT", "KIND", "DECISION", "BY", "DECIDED", "WAITS", "COMMAND"),
                fields -> row(new ApprovalText(fields), fields));
    }

    private Object[] row(ApprovalText approval, JsonFields fields) {
        return new Object[] {
            fields.shown("id"),
            fields.shown("agent"),
            approval.kind(),
            approval.decision(),
            approval.by(),
            RunnerCall.time(fields, "decidedAt"),
            approval.waits(context.clock().instant()),
            approval.what()
        };
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Shows one whole: the command, or what would change in which file.")
    int show(@Parameters(paramLabel = "ID") String id, @Mixin RunnerCall own) {
        return own.with(
                context,
                api -> {
                    List<JsonFields> known =
                            api.get("/api/runner/approvals?all=yes").fields().list("approvals");
                    String meant =
                            ApprovalLookup.matching(
                                            known.stream().map(each -> each.text("id")).toList(),
                                            id)
                                    .value();
                    JsonFields approval =
                            known.stream()
                                    .filter(each -> each.text("id").equals(meant))
                                    .findFirst()
                                    .orElseThrow(
                                            () ->
                                                    new SkepException(
                                                            ErrorCode.NOT_FOUND,
                                                            "there is no approval '%s'; 'skep approvals --all' lists them"
                                                                    .formatted(meant)));
                    if (own.json()) {
                        context.out().println(approval.json());
                    } else {
                        new ApprovalText(approval).print(context.out(), context.clock().instant());
                    }
                    return ExitStatus.OK.status();
                });
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Allows it once; the beginning or end of its id is enough.")
    int approve(
            @Parameters(paramLabel = "ID") String id,
            @Option(
                            names = "--always",
                            description =
                                    "Also allow this exact command from now on, in the agent's file.")
                    boolean always,
            @Mixin RunnerCall own) {
        return own.with(
                context,
                api -> {
                    if (always) {
                        requireAlways(api);
                    }
                    return decide(
                            own, api, id, "approve", always ? Map.of("always", true) : Map.of());
                });
    }

    @Command(
            name = "deny",
            mixinStandardHelpOptions = true,
            description = "Denies it; the agent gets the reason.")
    int deny(
            @Parameters(paramLabel = "ID") String id,
            @Option(
                            names = "--reason",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "The reason; the agent gets it.")
                    String reason,
            @Mixin RunnerCall own) {
        return own.with(
                context,
                api ->
                        decide(
                                own,
                                api,
                                id,
                                "deny",
                                reason.isBlank() ? Map.of() : Map.of("reason", reason)));
    }

    private int decide(
            RunnerCall own, ApiClient api, String part, String verb, Map<String, ?> body) {
        List<String> waiting = waiting(api).map(approval -> approval.text("id")).toList();
        ApprovalId id = ApprovalLookup.matching(waiting, part);
        return own.act(context, api, "/api/runner/approvals/" + id + "/" + verb, body);
    }

    /** A runner of an earlier version would take it for once. */
    private static void requireAlways(ApiClient api) {
        if (waiting(api).anyMatch(approval -> !approval.has("always"))) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "the runner that runs here is of an earlier version, which knows no always; restart it");
        }
    }

    private static Stream<JsonFields> waiting(ApiClient api) {
        return api.get("/api/runner/approvals").fields().list("approvals").stream();
    }
}
