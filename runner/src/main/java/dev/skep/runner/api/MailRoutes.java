package dev.skep.runner.api;

import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.Mailbox;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.AgentService;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Mail as operators see it: looking marks nothing as read. */
public final class MailRoutes implements Route.Source {
    private static final int MOST = 1000;

    private final AgentService agentService;

    public MailRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /** A message as people see it. */
    public record MailSummary(
            String id,
            String from,
            List<String> to,
            List<String> cc,
            String subject,
            String body,
            @Nullable String replyTo,
            @Nullable String sentAt,
            @Nullable String readAt,
            @Nullable String archivedAt) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read("/api/runner/mail", this::list)
                        .described(
                                Operation.of("Mail, of one agent or all.")
                                        .query("agent", String.class, "whose mailbox")
                                        .query(
                                                "box",
                                                String.class,
                                                "inbox, outbox, unread or search")
                                        .query("text", String.class, "what to search for")
                                        .query("limit", int.class, "1 to 1000, usually 50")
                                        .answers(MailList.class)),
                AgentRoutes.act("/api/runner/mail", this::send)
                        .described(RunnerResponses.action("Sends mail.").takes(MailToSend.class)));
    }

    private record MailList(List<MailSummary> mail) {}

    /**
     * A message.
     *
     * @param to names, with commas or spaces between
     */
    private record MailToSend(String to, String subject, String body) {}

    private Response list(Request request) {
        AgentNames names = new AgentNames(agentService.stores().agents(), request.principal());
        int limit = request.query("limit", 50, MOST);
        AgentId agent = names.asked(request);
        MailReader mail = agentService.stores().mailboxes();
        Optional<String> box = request.query("box");
        if (agent == null) {
            if (box.isPresent()) {
                throw new SkepException(
                        ErrorCode.BAD_REQUEST, "a mailbox belongs to an agent; name the agent too");
            }
            return shown(mail.ofOrg(request.principal(), limit));
        }
        Mailbox mailbox = Mailbox.open(request.principal(), agent);
        return shown(
                switch (box.orElse("inbox")) {
                    case "inbox" -> mail.inbox(mailbox, limit);
                    case "outbox" -> mail.outbox(mailbox, limit);
                    case "unread" -> mail.unread(mailbox, limit);
                    case "search" -> mail.search(mailbox, request.query("text").orElse(""), limit);
                    default ->
                            throw new SkepException(
                                    ErrorCode.BAD_REQUEST,
                                    "there is no box '%s'; inbox, outbox, unread or search"
                                            .formatted(box.get()));
                });
    }

    private static Response shown(List<Mail> mails) {
        return Response.json(new MailList(mails.stream().map(MailRoutes::shown).toList()));
    }

    private static MailSummary shown(Mail mail) {
        return new MailSummary(
                mail.id(),
                mail.fromName(),
                mail.names(Mail.Type.TO),
                mail.names(Mail.Type.CC),
                mail.subject(),
                mail.body(),
                mail.replyTo(),
                RunnerResponses.time(mail.sentAt()),
                RunnerResponses.time(mail.readAt()),
                RunnerResponses.time(mail.archivedAt()));
    }

    private Response send(Request request) {
        MailToSend mail = request.body(MailToSend.class);
        List<String> to =
                Arrays.stream(mail.to().split("[,\\s]+", -1))
                        .filter(name -> !name.isEmpty())
                        .toList();
        return RunnerResponses.of(
                agentService.mail(request.principal(), to, mail.subject(), mail.body()));
    }
}
