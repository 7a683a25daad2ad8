package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which agents a command means that does the same to many of them. */
final class ManyAgentsFlags {
    private static final String DEFAULT_ORG = "default";

    @Option(
            names = "--all",
            description = "All agents: of the whole org where a hub runs, else of this host.")
    private boolean all;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "",
            description = "All agents of that host, by its name or id; asked of a hub.")
    private String host = "";

    @Option(
            names = "--org",
            paramLabel = "ORG",
            defaultValue = DEFAULT_ORG,
            description = "The org of the agents (default: default).")
    private String org = "default";

    /** Whether agents are meant that are not named one by one. */
    boolean isGiven() {
        return all || !host.isEmpty();
    }

    /** Does it to all that are meant, and prints who refused. */
    int act(CommandContext context, RunnerCall own, String action, String text) {
        return own.with(
                context, api -> print(context, own, asked(api, body(action, text), List.of())));
    }

    /** The same to agents of this host, by their names. */
    int act(
            CommandContext context,
            RunnerCall own,
            String action,
            String text,
            List<String> names) {
        return own.with(context, api -> print(context, own, asked(api, body(action, text), names)));
    }

    private static Map<String, Object> body(String action, String text) {
        Map<String, Object> body = new HashMap<>(Map.of("action", action));
        if (!text.isEmpty()) {
            body.put("text", text);
        }
        return body;
    }

    private Answer asked(ApiClient api, Map<String, Object> body, List<String> names) {
        if (!names.isEmpty()) {
            body.put("agents", names);
            return api.post("/api/runner/actions", body);
        }
        if (hasHub(api)) {
            body.put("filter", host.isEmpty() ? Map.of() : Map.of("host", host));
            return api.post("/api/orgs/%s/agents/actions".formatted(AdminFlags.encoded(org)), body);
        }
        if (!host.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "--host is asked of a hub, and none runs here; run this where 'skep up' or 'skep hub' runs");
        }
        return api.post("/api/runner/actions", body);
    }

    /** Only hubs have it. */
    private boolean hasHub(ApiClient api) {
        try {
            api.get("/api/orgs/%s/hold".formatted(AdminFlags.encoded(org)));
            return true;
        } catch (SkepException e) {
            if (e.code() == ErrorCode.NOT_FOUND && org.equals(DEFAULT_ORG)) {
                return false;
            }
            throw e;
        }
    }

    private static int print(CommandContext context, RunnerCall own, Answer answer) {
        JsonFields fields = answer.fields();
        long refused = fields.number("refused");
        if (own.json()) {
            context.out().println(RunnerCall.text(answer));
        } else {
            long queued = fields.number("queued");
            context.out()
                    .println(
                            "%s: done by %d of %d agents%s"
                                    .formatted(
                                            fields.text("action"),
                                            fields.number("done"),
                                            fields.number("asked"),
                                            queued == 0
                                                    ? ""
                                                    : ", %d wait for their hosts"
                                                            .formatted(queued)));
            fields.list("results").stream()
                    .filter(each -> each.text("outcome").equals("refused"))
                    .forEach(
                            each ->
                                    context.err()
                                            .println(
                                                    "%s@%s: %s"
                                                            .formatted(
                                                                    each.text("username"),
                                                                    each.text("hostName"),
                                                                    each.shown("reason"))));
        }
        return refused == 0 ? ExitStatus.OK.status() : ExitStatus.FAILURE.status();
    }
}
