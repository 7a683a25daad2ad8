package dev.skep.cli.command;

import dev.skep.kernel.error.ExitStatus;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.Map;
import java.util.function.Consumer;

/** A job by which a server's host does something to it, and which is waited for. */
final class AwaitedServerJob {
    private final CommandContext context;
    private final AdminFlags flags;
    private final ApiClient api;
    private final JsonFields server;

    /** About the server of this name or id. */
    AwaitedServerJob(CommandContext context, AdminFlags flags, ApiClient api, String server) {
        this.context = context;
        this.flags = flags;
        this.api = api;
        this.server = new FleetLookup(api, flags).server(server);
    }

    /** Changes its state, and shows the new one. */
    int steer(String type) {
        Answer ended = ended(type, _ -> {});
        if (flags.json()) {
            AdminFlags.raw(context, ended);
        }
        AwaitedJob.requireSuccess(ended);
        if (!flags.json()) {
            context.out().println(server.shown("name") + " is " + state(ended));
        }
        return ExitStatus.OK.status();
    }

    /** Prints the end of its log. */
    int logs() {
        Answer ended =
                ended(
                        "server.status",
                        flags.json()
                                ? piece -> AdminFlags.raw(context, piece)
                                : new JobOutput(context));
        AwaitedJob.requireSuccess(ended);
        return ExitStatus.OK.status();
    }

    private Answer ended(String type, Consumer<Answer> pieces) {
        JsonFields host = new FleetLookup(api, flags).host(server.text("hostId"));
        Answer created =
                api.post(
                        flags.path("jobs"),
                        Map.of("serverInstanceId", server.text("id"), "type", type));
        return new AwaitedJob(context, flags, api).ended(host, created, pieces);
    }

    private static String state(Answer ended) {
        return ended.fields()
                .object("run")
                .flatMap(run -> run.object("result"))
                .map(result -> result.shown("state"))
                .orElse("");
    }
}
