package dev.skep.app.command;

import dev.skep.app.config.Secret;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes this machine a host of a hub. */
@Command(
        name = "enrol",
        mixinStandardHelpOptions = true,
        description =
                "Enrols this machine with a hub, by a pairing code or by HUB_ACCESS_KEY; --leave forgets the hub.")
final class EnrolCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    @Parameters(paramLabel = "URL", description = "The hub, for example https://hub:4280.")
    private String url = "";

    @Option(names = "--code", paramLabel = "CODE", description = "From: skep hosts pair.")
    private String code = "";

    @Option(names = "--leave", description = "Forget this hub; its admin should revoke this host.")
    private boolean leave;

    EnrolCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Map<String, String> asked = new HashMap<>(Map.of("url", url));
        if (leave) {
            return flags.askHost(
                    context,
                    api ->
                            flags.say(
                                    context,
                                    api.post("/api/host/hubs/leave", asked),
                                    "left " + url));
        }
        if (!code.isEmpty()) {
            asked.put("code", code);
        }
        flags.configuration(context)
                .links()
                .accessKey()
                .map(Secret::value)
                .ifPresent(key -> asked.put("accessKey", key));
        return flags.askHost(
                context,
                api ->
                        flags.say(
                                context,
                                api.post("/api/host/hubs", asked),
                                "enrolled with " + url));
    }
}
