package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient.Answer;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Keys of an org and of its agents. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        description = "Lists, issues and revokes keys; a key is shown once.")
public final class KeysCommand extends ListCommand {
    public KeysCommand(CommandContext context) {
        super(context);
    }

    @Override
    @Command(name = "list", mixinStandardHelpOptions = true, description = "Lists them.")
    int list(@Mixin AdminFlags flags) {
        return flags.ask(
                context,
                api ->
                        flags.list(
                                context,
                                api.get(flags.path("keys")),
                                "keys",
                                "id",
                                "kind",
                                "label",
                                "subject",
                                "createdAt",
                                "expiresAt",
                                "revokedAt"));
    }

    @Command(name = "issue", mixinStandardHelpOptions = true, description = "Prints a new key.")
    int issue(
            @Mixin AdminFlags flags,
            @Parameters(
                            paramLabel = "KIND",
                            description =
                                    "join (lets hosts enrol), registry (lets nodes register), agent (acts for an agent) or api (acts for an operator: scripts, MCP clients).")
                    String kind,
            @Option(
                            names = "--label",
                            paramLabel = "TEXT",
                            defaultValue = "",
                            description = "What it is for.")
                    String label,
            @Option(
                            names = "--agent",
                            paramLabel = "AGENT",
                            defaultValue = "",
                            description = "The name or id of the agent that an agent key acts for.")
                    String agent,
            @Option(
                            names = "--operator",
                            paramLabel = "NAME",
                            defaultValue = "",
                            description = "The name of the operator that an api key acts for.")
                    String operator,
            @Option(
                            names = "--days",
                            paramLabel = "DAYS",
                            defaultValue = "0",
                            description = "How many days it is valid (default: until revoked).")
                    int days) {
        if (kind.equals("api") && operator.isEmpty()) {
            throw unsaid("an api key speaks for an operator; name one with --operator");
        }
        if (kind.equals("agent") && agent.isEmpty()) {
            throw unsaid("an agent key speaks for an agent; name it with --agent");
        }
        Map<String, Object> wanted = new HashMap<>(Map.of("kind", kind, "label", label));
        if (!agent.isEmpty()) {
            wanted.put("agentId", agent);
        }
        if (!operator.isEmpty()) {
            wanted.put("operator", operator);
        }
        if (days > 0) {
            wanted.put("expiresInDays", days);
        }
        return flags.ask(
                context,
                api -> {
                    Answer answer = api.post(flags.path("keys"), wanted);
                    return flags.say(context, answer, answer.fields().text("secret"));
                });
    }

    private static SkepException unsaid(String what) {
        return new SkepException(ErrorCode.BAD_REQUEST, what);
    }

    @Command(name = "revoke", mixinStandardHelpOptions = true, description = "Revokes a key.")
    int revoke(@Mixin AdminFlags flags, @Parameters(paramLabel = "ID") String id) {
        return flags.ask(
                context,
                api -> flags.say(context, api.delete(flags.path("keys", id)), id + " is revoked"));
    }
}
