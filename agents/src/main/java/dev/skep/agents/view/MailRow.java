package dev.skep.agents.view;

import dev.skep.agents.mail.MailMessage;
import dev.skep.agents.mail.MailRecipient;
import dev.skep.agents.mail.MailStatus;
import java.util.List;
import java.util.Optional;

/**
 * A message in a list of the whole org.
 *
 * @param message its body is cut in a list
 * @param host from which it was sent
 */
public record MailRow(MailMessage message, String host, List<Recipient> recipients) {
    public MailRow {
        recipients = List.copyOf(recipients);
    }

    /** A recipient, and what they did with the message on their host. */
    public record Recipient(MailRecipient recipient, Optional<MailStatus> status) {}
}
