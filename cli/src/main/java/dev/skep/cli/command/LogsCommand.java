package dev.skep.cli.command;

import dev.skep.kernel.error.ExitStatus;
import dev.skep.runner.terminal.LogText;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what agents did. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        description = "Shows the log of one agent of this host or of all, newest lines last.")
public final class LogsCommand implements Callable<Integer> {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final CommandContext context;
    @Mixin private RunnerCall call = new RunnerCall();

    @Parameters(
            paramLabel = "AGENT",
            arity = "0..1",
            defaultValue = "",
            description = "Whose log (default: everybody's).")
    private String agent = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many lines (default: 50).")
    private int limit = 50;

    @Option(
            names = {"-f", "--follow"},
            description = "Keep showing new lines.")
    private boolean follow;

    public LogsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return call.with(
                context,
                api -> {
                    String last = show(api, "");
                    if (last.isEmpty() && !agent.isEmpty() && context.remote().isEmpty()) {
                        sayIfElsewhere(api);
                    }
                    while (follow && pause()) {
                        last = show(api, last);
                    }
                    return ExitStatus.OK.status();
                });
    }

    /** Agents of all hosts are known here, but logs are kept by their hosts and by hubs only. */
    private void sayIfElsewhere(ApiClient api) {
        String here = api.get("/api/host").fields().text("name");
        api.get("/api/runner/agents").fields().list("agents").stream()
                .filter(each -> each.shown("username").equals(agent))
                .map(each -> each.shown("host"))
                .filter(host -> !host.equals(here))
                .forEach(
                        host ->
                                context.err()
                                        .println(
                                                "skep: %s is on host %s: read its log there, or on the hub's page Logs"
                                                        .formatted(agent, host)));
    }

    /** Prints what came after an id and returns the last id. */
    private String show(ApiClient api, String after) {
        Answer answer =
                api.get(
                        RunnerCall.path(
                                "/api/runner/logs",
                                Map.of("agent", agent, "limit", limit, "after", after)));
        List<JsonFields> lines = answer.fields().list("lines");
        if (call.json() && !lines.isEmpty()) {
            context.out().println(new String(answer.json(), StandardCharsets.UTF_8));
        } else {
            lines.stream()
                    .map(LogsCommand::readable)
                    .filter(text -> !text.isEmpty())
                    .forEach(context.out()::println);
        }
        context.out().flush();
        return lines.isEmpty() ? after : lines.getLast().text("id");
    }

    /** Empty for what only programs read. */
    private static String readable(JsonFields line) {
        String type = line.shown("type");
        String head =
                "%s  %-12s %-12s "
                        .formatted(RunnerCall.time(line, "at"), line.shown("agent"), type);
        String text =
                switch (type) {
                    case "tool_result", "plan", "turn_end", "decision" -> withDetail(type, line);
                    default -> line.shown("message");
                };
        return text.isBlank()
                ? ""
                : head + printable(text).replace("\n", "\n" + " ".repeat(head.length()));
    }

    private static String withDetail(String type, JsonFields line) {
        return LogText.of(type, line.shown("message"), line.object("detail")).stream()
                .map(LogText.Shown::text)
                .collect(Collectors.joining("\n"));
    }

    /** What an agent prints must not steer the terminal. */
    static String printable(String text) {
        return text.strip().replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "\ufffd");
    }

    private static boolean pause() {
        try {
            Thread.sleep(LOOK_AGAIN);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
