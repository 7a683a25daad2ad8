package dev.skep.app.command;

import static dev.skep.app.command.RunnerCall.text;

import dev.skep.kernel.error.Exit;
import dev.skep.transport.client.Api;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows what agents did. */
@Command(
        name = "logs",
        mixinStandardHelpOptions = true,
        description = "Shows the log of an agent or of all, the last lines last.")
final class LogsCommand implements Callable<Integer> {
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
            description = "Goes on showing what is new.")
    private boolean follow;

    LogsCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return call.with(
                context,
                api -> {
                    String last = show(api, "");
                    while (follow && pause()) {
                        last = show(api, last);
                    }
                    return Exit.OK.status();
                });
    }

    /** Prints what came after an id and returns the last id. */
    private String show(Api api, String after) {
        String last = after;
        for (JsonNode line :
                Json.tree(
                        api.get(
                                        RunnerCall.path(
                                                "/api/runner/logs",
                                                Map.of(
                                                        "agent", agent, "limit", limit, "after",
                                                        after)))
                                .json())) {
            context.out().println(call.json() ? line.toString() : readable(line));
            last = text(line, "id");
        }
        context.out().flush();
        return last;
    }

    private static String readable(JsonNode line) {
        String head =
                "%s  %-12s %-8s "
                        .formatted(
                                RunnerCall.time(line, "at"),
                                text(line, "agent"),
                                text(line, "type"));
        return head
                + text(line, "message")
                        .strip()
                        .replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "\ufffd")
                        .replace("\n", "\n" + " ".repeat(head.length()));
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
