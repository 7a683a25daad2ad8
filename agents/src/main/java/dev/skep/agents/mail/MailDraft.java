package dev.skep.agents.mail;

import dev.skep.kernel.id.AgentId;
import java.util.List;
import java.util.stream.Stream;
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

    /** All addresses as they were written, each once. */
    public List<String> everybody() {
        return Stream.of(to, cc, bcc).flatMap(List::stream).distinct().toList();
    }
}
