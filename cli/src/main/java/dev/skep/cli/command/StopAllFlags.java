package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** Stopping all agents of an org or of this host, and undoing that. */
final class StopAllFlags {
    /** States of a host whose agents may work though they should not. */
    private static final Set<String> NOT_DONE = Set.of("pending", "refused", "unable", "lifted");

    private static final String DEFAULT_ORG = "default";

    @Option(names = "--undo", description = "Lets all agents go on; each goes back to what it was.")
    private boolean undo;

    @Option(
            names = "--here",
            description =
                    "Only the agents of this host; with --undo whatever stops them, whoever wanted it.")
    private boolean here;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Why, for those who see it on the pages.")
    private String reason = "";

    @Option(
            names = "--org",
            paramLabel = "ORG",
            defaultValue = DEFAULT_ORG,
            description = "The org whose agents are meant (default: default).")
    private String org = "default";

    int run(CommandContext context, RunnerCall own) {
        if (undo && !reason.isEmpty()) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "--reason does not go with --undo");
        }
        return own.with(context, api -> run(context, own, api));
    }

    private int run(CommandContext context, RunnerCall own, ApiClient api) {
        if (!here) {
            try {
                return print(
                        context,
                        own,
                        call(api, "/api/orgs/%s/hold".formatted(AdminFlags.encoded(org))));
            } catch (SkepException e) {
                // There is no hub here, so this host is all there is.
                if (e.code() != ErrorCode.NOT_FOUND || !org.equals(DEFAULT_ORG)) {
                    throw e;
                }
            }
        }
        Answer answer = call(api, "/api/runner/hold");
        context.out()
                .println(own.json() ? RunnerCall.text(answer) : answer.fields().shown("message"));
        return ExitStatus.OK.status();
    }

    private Answer call(ApiClient api, String path) {
        return undo
                ? api.call(HttpMethod.DELETE, path, Map.of())
                : api.post(path, reason.isEmpty() ? Map.of() : Map.of("reason", reason));
    }

    private int print(CommandContext context, RunnerCall own, Answer answer) {
        JsonFields view = answer.fields();
        List<JsonFields> open =
                view.list("hosts").stream()
                        .filter(host -> host.number("agents") > 0)
                        .filter(host -> !Set.of("held", "free").contains(host.text("state")))
                        .toList();
        if (own.json()) {
            context.out().println(RunnerCall.text(answer));
        } else {
            context.out()
                    .println(
                            undo
                                    ? "all agents go on as they were"
                                    : "%d agents stand still; 'skep agents stop-all --undo' lets them go on"
                                            .formatted(view.number("agents")));
            open.forEach(
                    host ->
                            context.err()
                                    .println(
                                            "%s, %d agents: %s"
                                                    .formatted(
                                                            host.text("host"),
                                                            host.number("agents"),
                                                            host.shown("detail"))));
        }
        return undo || open.stream().noneMatch(host -> NOT_DONE.contains(host.text("state")))
                ? ExitStatus.OK.status()
                : ExitStatus.FAILURE.status();
    }
}
