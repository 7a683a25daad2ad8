package dev.skep.agents.mail;

import dev.skep.kernel.id.AgentId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message before its addresses are resolved. */
public record MailDraft(
        AgentId from,
        List<String> to,
        List<String> cc,
        List<String> bcc,
        String subject,
        String body,
        @Nullable String replyTo) {
    public MailDraft {
        to = List.copyOf(to);
        cc = List.copyOf(cc);
        bcc = List.copyOf(bcc);
    }

    public static MailDraft to(AgentId from, List<String> to, String subject, String body) {
        return new MailDraft(from, to, List.of(), List.of(), subject, body, null);
    }
}
