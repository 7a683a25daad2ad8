package dev.skep.cli.command;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What this host lets its hubs do; only its own command line changes that. */
@Command(
        name = "allow",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what this host lets each of its hubs do, or changes it for one; a change counts at once.",
            "steer: start, stop and talk to its agents, give them tasks, decide about a waiting command.",
            "agents: bring agents of other hosts, and change the files of its own.",
            "jobs: run the jobs and servers that allowed-commands names.",
            "exec: open a shell."
        })
public final class AllowCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "URL",
            description = "The hub; without it, all are shown.")
    private String url = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "WHAT,WHAT",
            description =
                    "Some of steer,agents,jobs,exec, or none: all that it may do from now on.")
    private String what = "";

    public AllowCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (!url.isEmpty() && what.isEmpty()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "say what %s may do: some of %s, or none".formatted(url, all()));
        }
        return flags.askHost(context, url.isEmpty() ? this::show : this::change);
    }

    private static String all() {
        return Arrays.stream(Consent.values()).map(Consent::label).collect(Collectors.joining(","));
    }

    private int show(ApiClient api) {
        return flags.list(context, api.get("/api/host"), "hubs", "url", "allows");
    }

    private int change(ApiClient api) {
        String consents = Consents.parse(what).toString();
        Answer answer = api.post("/api/host/hubs/allow", Map.of("url", url, "allow", consents));
        return flags.say(context, answer, "%s may now: %s".formatted(url, consents));
    }
}
