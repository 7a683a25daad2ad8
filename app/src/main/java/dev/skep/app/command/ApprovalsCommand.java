package dev.skep.app.command;

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
        description = "Lists commands that wait for your yes; approve or deny them.")
final class ApprovalsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private RunnerCall call = new RunnerCall();

    @Option(names = "--all", description = "Shows decided ones too.")
    private boolean all;

    ApprovalsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return call.list(
                context,
                RunnerCall.path("/api/runner/approvals", Map.of("all", all ? "yes" : "")),
                "approvals",
                new Table("ID", "AGENT", "DECISION", "UNTIL", "COMMAND"),
                approval ->
                        new Object[] {
                            approval.shown("id"),
                            approval.shown("agent"),
                            approval.shown("decision"),
                            RunnerCall.time(approval, "expiresAt"),
                            approval.shown("command")
                        });
    }

    @Command(
            name = "approve",
            mixinStandardHelpOptions = true,
            description = "Lets the command run; the id's end is enough.")
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

    private int decide(RunnerCall own, String id, String verb) {
        return own.act(
                context, "/api/runner/approvals/" + AdminFlags.encoded(id) + "/" + verb, Map.of());
    }
}
