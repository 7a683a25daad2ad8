package dev.skep.cli.command;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds costs up. */
@Command(
        name = "costs",
        mixinStandardHelpOptions = true,
        description = "Adds up what agents spent, by agent, session, model or source.")
public final class CostsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private RunnerCall call = new RunnerCall();

    @Parameters(
            paramLabel = "AGENT",
            arity = "0..1",
            defaultValue = "",
            description = "Whose (default: everybody's).")
    private String agent = "";

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "agent",
            description = "agent, session, model or source (default: agent).")
    private String by = "agent";

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "",
            description = "Such as 2026-11-15T08:00:00Z (default: ever).")
    private String since = "";

    public CostsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return call.list(
                context,
                RunnerCall.path(
                        "/api/runner/costs", Map.of("agent", agent, "by", by, "since", since)),
                "costs",
                new TextTable(
                        by.toUpperCase(Locale.ROOT),
                        "COST",
                        "CALLS",
                        "INPUT",
                        "OUTPUT",
                        "CACHE READ",
                        "CACHE WRITE"),
                cost ->
                        new Object[] {
                            cost.shown("group"),
                            RunnerCall.dollars(cost, "cost"),
                            cost.shown("calls"),
                            cost.shown("inputTokens"),
                            cost.shown("outputTokens"),
                            cost.shown("cacheReadTokens"),
                            cost.shown("cacheWriteTokens")
                        });
    }
}
