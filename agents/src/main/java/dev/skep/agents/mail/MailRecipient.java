package dev.skep.agents.mail;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.id.AgentId;
import dev.skep.store.feed.RowCodec;

/**
 * A row of {@code mail_recipients}: one recipient of a message.
 *
 * @param type how the sender named them, as stored
 */
public record MailRecipient(String id, String message, AgentId agent, String type) {
    public static final RowCodec<MailRecipient> ROWS =
            RowCodec.<MailRecipient>of(AgentTables.MAIL_RECIPIENTS)
                    .column("id", MailRecipient::id)
                    .column("message_id", MailRecipient::message)
                    .column("user_id", recipient -> recipient.agent().value())
                    .column("type", MailRecipient::type)
                    .reads(
                            row ->
                                    new MailRecipient(
                                            row.text("id"),
                                            row.text("message_id"),
                                            AgentId.stored(row.text("user_id")),
                                            row.text("type")));
}
