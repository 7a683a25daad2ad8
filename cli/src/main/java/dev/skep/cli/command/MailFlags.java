package dev.skep.cli.command;

import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which mail is shown, wherever a command shows some. */
final class MailFlags {
    @Mixin private RunnerCall call = new RunnerCall();

    @Parameters(
            paramLabel = "AGENT",
            arity = "0..1",
            defaultValue = "",
            description = "Whose mail (default: everybody's).")
    private String agent = "";

    @Option(
            names = "--box",
            paramLabel = "BOX",
            defaultValue = "",
            description = "The agent's inbox, outbox or unread (default: inbox).")
    private String box = "";

    @Option(
            names = "--search",
            paramLabel = "TEXT",
            defaultValue = "",
            description = "Only mail of the agent with this text, archived mail too.")
    private String search = "";

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many, the newest first (default: 50).")
    private int limit = 50;

    int list(CommandContext context) {
        return call.list(
                context,
                RunnerCall.path(
                        "/api/runner/mail",
                        Map.of(
                                "agent",
                                agent,
                                "box",
                                search.isEmpty() ? box : "search",
                                "text",
                                search,
                                "limit",
                                limit)),
                "mail",
                new TextTable("SENT", "FROM", "TO", "SUBJECT", "TEXT"),
                mail -> {
                    return new Object[] {
                        RunnerCall.time(mail, "sentAt"),
                        mail.shown("from"),
                        String.join(",", mail.textList("to")),
                        mail.shown("subject"),
                        mail.shown("body")
                    };
                });
    }
}
