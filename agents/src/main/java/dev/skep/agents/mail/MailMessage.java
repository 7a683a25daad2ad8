package dev.skep.agents.mail;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.id.AgentId;
import dev.skep.store.feed.RowCodec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code mail_messages}: the text of a message, without its recipients.
 *
 * @param replyTo the message it answers
 */
public record MailMessage(
        String id,
        AgentId from,
        String subject,
        String body,
        @Nullable String replyTo,
        Instant sentAt) {

    public static final RowCodec<MailMessage> ROWS =
            RowCodec.<MailMessage>of(AgentTables.MAIL_MESSAGES)
                    .column("id", MailMessage::id)
                    .column("from_user_id", mail -> mail.from().value())
                    .column("subject", MailMessage::subject)
                    .column("body", MailMessage::body)
                    .column("reply_to_id", MailMessage::replyTo)
                    .column("created_at", MailMessage::sentAt)
                    .reads(
                            row ->
                                    new MailMessage(
                                            row.text("id"),
                                            AgentId.stored(row.text("from_user_id")),
                                            row.text("subject"),
                                            row.text("body"),
                                            row.textOrNull("reply_to_id"),
                                            row.time("created_at")));
}
