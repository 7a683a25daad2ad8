package dev.skep.agents.mail;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.id.AgentId;
import dev.skep.store.feed.RowCodec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code mail_status}: what a recipient did with a message on its host. */
public record MailStatus(
        String id,
        String message,
        AgentId agent,
        @Nullable Instant readAt,
        @Nullable Instant archivedAt) {

    public static final RowCodec<MailStatus> ROWS =
            RowCodec.<MailStatus>of(AgentTables.MAIL_STATUS)
                    .column("id", MailStatus::id)
                    .column("message_id", MailStatus::message)
                    .column("user_id", status -> status.agent().value())
                    .column("read_at", MailStatus::readAt)
                    .column("archived_at", MailStatus::archivedAt)
                    .reads(
                            row ->
                                    new MailStatus(
                                            row.text("id"),
                                            row.text("message_id"),
                                            AgentId.stored(row.text("user_id")),
                                            row.timeOrNull("read_at"),
                                            row.timeOrNull("archived_at")));

    /** The same, read and perhaps put away at this moment. */
    MailStatus at(Instant now, boolean archive) {
        return new MailStatus(
                id, message, agent, readAt == null ? now : readAt, archive ? now : archivedAt);
    }
}
