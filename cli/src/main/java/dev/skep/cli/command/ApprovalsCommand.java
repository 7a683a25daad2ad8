package dev.skep.cli.command;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.runner.approval.ApprovalLookup;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
                new TextTable("ID", "AGENT", "DECISION", "BY", "DECIDED", "UNTIL", "COMMAND"),
                approval ->
                        new Object[] {
                            approval.shown("id"),
                            approval.shown("agent"),
                            approval.shown("decision"),
                            by(approval),
                            RunnerCall.time(approval, "decidedAt"),
                            RunnerCall.time(approval, "expiresAt"),
                            approval.shown("command")
                        });
    }

    private static String by(JsonFields approval) {
        return approval.optionalText("decidedThrough")
                .map(hub -> "%s (through %s)".formatted(approval.shown("decidedBy"), hub))
                .orElseGet(() -> approval.shown("decidedBy"));
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Lets the command run; the beginning or end of its id is enough.")
    int approve(@Parameters(paramLabel = "ID") String id, @Mixin RunnerCall own) {
        return decide(own, id, "approve");
    }

    @Command(
            name = "deny",
            mixinStandardHelpOptions = true,
            description = "Keeps the command from running.")
    int deny(@Parameters(paramLabel = "ID") String id, @Mixin RunnerCall own) {
        return decide(own, id, "deny");
    }

    private int decide(RunnerCall own, String part, String verb) {
        return own.with(
                context,
                api -> {
                    ApprovalId id = ApprovalLookup.matching(waiting(api), part);
                    return own.act(
                            context, api, "/api/runner/approvals/" + id + "/" + verb, Map.of());
                });
    }

    private static List<String> waiting(ApiClient api) {
        return api.get("/api/runner/approvals").fields().list("approvals").stream()
                .map(approval -> approval.text("id"))
                .toList();
    }
}
