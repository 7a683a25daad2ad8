package dev.skep.cli.command;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists sessions. */
@Command(
        name = "sessions",
        mixinStandardHelpOptions = true,
        description = "Lists the sessions of an agent or of all, the newest first.")
public final class SessionsCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private RunnerCall call = new RunnerCall();

    @Parameters(
            paramLabel = "AGENT",
            arity = "0..1",
            defaultValue = "",
            description = "Whose (default: everybody's).")
    private String agent = "";

    public SessionsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return call.list(
                context,
                RunnerCall.path("/api/runner/sessions", Map.of("agent", agent)),
                "sessions",
                new TextTable(
                        "AGENT", "RUN", "SESSION", "MODEL", "LINES", "COST", "STARTED", "ENDED"),
                session ->
                        new Object[] {
                            session.shown("agent"),
                            session.shown("run"),
                            session.shown("session"),
                            session.shown("model"),
                            session.shown("lines"),
                            RunnerCall.dollars(session, "cost"),
                            RunnerCall.time(session, "startedAt"),
                            session.shown("endedReason")
                        });
    }
}
