package dev.skep.cli.command;

import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives a dead host's agent to another host. */
@Command(
        name = "adopt",
        mixinStandardHelpOptions = true,
        description = {
            "Gives an agent of a dead host to another host, with all its mail.",
            "Run it on one hub, then on each other hub with the generation that the first one printed."
        })
public final class AdoptCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    @Parameters(paramLabel = "AGENT", description = "The agent's name or id.")
    private String agent = "";

    @Option(
            names = "--to",
            required = true,
            paramLabel = "HOST",
            description = "The name or id of the host that takes it over.")
    private String host = "";

    @Option(
            names = "--generation",
            paramLabel = "NUMBER",
            defaultValue = "",
            description =
                    "The generation that another hub printed, to confirm the same takeover here.")
    private String generation = "";

    public AdoptCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Map<String, String> asked = new HashMap<>(Map.of("host", host));
        if (!generation.isEmpty()) {
            asked.put("generation", generation);
        }
        return flags.askHub(
                context,
                api -> {
                    Answer answer = api.post(flags.path("agents", agent, "adopt"), asked);
                    JsonFields done = answer.fields();
                    return flags.say(
                            context,
                            answer,
                            "granted; on other hubs: skep adopt %s --to %s --generation %s"
                                    .formatted(
                                            done.text("agent"),
                                            done.text("host"),
                                            done.text("generation")));
                });
    }
}
