package dev.skep.agents.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A message in a list of the whole org.
 *
 * @param body the text, or its beginning in a list
 */
public record MailRow(
        String id,
        String from,
        String host,
        String subject,
        String body,
        @Nullable String replyTo,
        Instant sentAt,
        List<Recipient> recipients) {
    public MailRow {
        recipients = List.copyOf(recipients);
    }

    /** Somebody it was sent to, and what they did with it on their host. */
    public record Recipient(
            String agent, String type, @Nullable Instant readAt, @Nullable Instant archivedAt) {}
}
