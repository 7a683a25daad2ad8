package dev.skep.agents.mail;

import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A message as one mailbox sees it: blind copies are shown to their sender and to themselves.
 *
 * @param readAt when this mailbox read it; null if it has not, or is the sender
 */
public record Mail(
        String id,
        AgentId from,
        String fromName,
        List<Recipient> recipients,
        String subject,
        String body,
        @Nullable String replyTo,
        Instant sentAt,
        @Nullable Instant readAt,
        @Nullable Instant archivedAt) {
    public Mail {
        recipients = List.copyOf(recipients);
    }

    /** A recipient of a message. */
    public record Recipient(Type type, AgentId agent, String name) {}

    /** How a recipient was named. */
    public enum Type {
        TO,
        CC,
        BCC;

        String stored() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Type of(String stored) {
            return switch (stored) {
                case "cc" -> CC;
                case "bcc" -> BCC;
                default -> TO;
            };
        }
    }

    /** The names of one kind of recipients, in order. */
    public List<String> names(Type type) {
        return recipients.stream().filter(r -> r.type() == type).map(Recipient::name).toList();
    }
}
