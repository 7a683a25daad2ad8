package dev.skep.supervisor.view;

import dev.skep.agents.mail.MailMessage;
import dev.skep.agents.mail.MailStatus;
import dev.skep.agents.view.MailRow;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message in a list, or a whole one. */
public record MailView(
        String id,
        Party from,
        String subject,
        String body,
        @Nullable String replyTo,
        Instant sentAt,
        List<Recipient> recipients)
        implements Keyed {

    /** An agent or operator with a mailbox. */
    public record Party(String id, String name, String hostName) {}

    /** A recipient, and whether they read it on their host. */
    public record Recipient(
            String id,
            String name,
            String hostName,
            String type,
            @Nullable Instant readAt,
            @Nullable Instant archivedAt) {}

    static MailView of(MailRow row, Map<String, AgentView> agents) {
        MailMessage mail = row.message();
        return new MailView(
                mail.id(),
                party(mail.from().value(), agents),
                mail.subject(),
                mail.body(),
                mail.replyTo(),
                mail.sentAt(),
                row.recipients().stream().map(r -> recipient(r, agents)).toList());
    }

    private static Party party(String id, Map<String, AgentView> agents) {
        AgentView agent = agents.get(id);
        return agent == null
                ? new Party(id, id, "")
                : new Party(id, agent.username(), agent.hostName());
    }

    private static Recipient recipient(MailRow.Recipient r, Map<String, AgentView> agents) {
        Party party = party(r.recipient().agent().value(), agents);
        return new Recipient(
                party.id(),
                party.name(),
                party.hostName(),
                r.recipient().type(),
                r.status().map(MailStatus::readAt).orElse(null),
                r.status().map(MailStatus::archivedAt).orElse(null));
    }
}
