package dev.skep.cli.command;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows mail and sends it. */
@Command(
        name = "mail",
        mixinStandardHelpOptions = true,
        description = "Shows the mail of one agent or of all, and sends mail.")
public final class MailCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private MailFlags flags = new MailFlags();

    public MailCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        return flags.list(context);
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Shows mail, like skep mail; also for an agent called list.")
    int list(@Mixin MailFlags own) {
        return own.list(context);
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
