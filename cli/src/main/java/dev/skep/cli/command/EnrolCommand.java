package dev.skep.cli.command;

import dev.skep.cli.config.SecretValue;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
public final class EnrolCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private AdminFlags flags = new AdminFlags();

    @Parameters(paramLabel = "URL", description = "The hub, for example https://hub:4280.")
    private String url = "";

    @Option(names = "--code", paramLabel = "CODE", description = "From: skep hosts pair.")
    private String code = "";

    @Option(
            names = "--allow",
            paramLabel = "WHAT,WHAT",
            description = {
                "What the hub may do to this host: some of steer,agents,jobs,exec, or none (default: steer).",
                "'skep allow --help' explains each; 'skep allow' changes it later."
            })
    private Optional<String> allow = Optional.empty();

    @Option(names = "--leave", description = "Forget this hub; its admin should revoke this host.")
    private boolean leave;

    public EnrolCommand(CommandContext context) {
        this.context = context;
    }

    private int leave(ApiClient api, Map<String, String> asked) {
        Answer answer = api.post("/api/host/hubs/leave", asked);
        if (!answer.fields().flag("left")) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "this host is in no hub at %s; 'skep hosts self' lists its hubs"
                            .formatted(url));
        }
        return flags.say(context, answer, "left " + url);
    }

    @Override
    public Integer call() {
        Map<String, String> asked = new HashMap<>(Map.of("url", url));
        if (leave) {
            requireNothingBesides();
            return flags.askHost(context, api -> leave(api, asked));
        }
        if (!code.isEmpty()) {
            asked.put("code", code);
        }
        consents().ifPresent(text -> asked.put("allow", text));
        flags.configuration(context)
                .links()
                .accessKey()
                .map(SecretValue::value)
                .ifPresent(key -> asked.put("accessKey", key));
        return flags.askHost(context, api -> enrolled(api.post("/api/host/hubs", asked)));
    }

    /** More words than that mean something else. */
    private void requireNothingBesides() {
        if (!code.isEmpty() || allow.isPresent()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "%s does nothing with --leave; leave it out"
                            .formatted(code.isEmpty() ? "--allow" : "--code"));
        }
    }

    private int enrolled(Answer answer) {
        String allows = String.join(",", answer.fields().textList("allows"));
        return flags.say(
                context,
                answer,
                "enrolled with %s, which may: %s"
                        .formatted(url, allows.isEmpty() ? "nothing" : allows));
    }

    /** Asks only at a terminal; otherwise the earlier decision stays. */
    private Optional<String> consents() {
        if (allow.isPresent() || !CommandContext.interactive() || flags.json()) {
            return allow.map(EnrolCommand::checked);
        }
        context.err().println("skep: what may %s do to this host?".formatted(url));
        for (Consent each : Consent.values()) {
            context.err().printf("  %-7s %s%n", each.label(), each.meaning());
        }
        return Optional.ofNullable(System.console())
                .map(c -> c.readLine("some of these, separated by commas [%s]: ", Consents.USUAL))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(EnrolCommand::checked);
    }

    /** Before a pairing code is spent on what will not do. */
    private static String checked(String text) {
        return Consents.parse(text).toString();
    }
}
