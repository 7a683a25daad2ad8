package dev.skep.app.command;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows mail and sends it. */
@Command(
        name = "mail",
        mixinStandardHelpOptions = true,
        description = "Shows the mail of an agent or of all, and sends some.")
final class MailCommand implements Callable<Integer> {
    private final CommandContext context;
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

    MailCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
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
                new Table("SENT", "FROM", "TO", "SUBJECT", "TEXT"),
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

    @Command(
            name = "send",
            mixinStandardHelpOptions = true,
            description = "Sends mail to agents, from this machine's operator.")
    int send(
            @Parameters(paramLabel = "NAME,NAME") String to,
            @Parameters(paramLabel = "SUBJECT") String subject,
            @Parameters(paramLabel = "TEXT") String body,
            @Mixin RunnerCall own) {
        return own.act(
                context, "/api/runner/mail", Map.of("to", to, "subject", subject, "body", body));
    }
}
