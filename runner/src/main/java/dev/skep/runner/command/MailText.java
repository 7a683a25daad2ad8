package dev.skep.runner.command;

import dev.skep.agents.mail.Mail;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Mail as agents read it. */
public final class MailText {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").withZone(ZoneOffset.UTC);

    private MailText() {}

    /** One line for a list: who, when, what, and whether it is new. */
    public static String line(Mail mail, boolean received) {
        return "%s%s  %s  %s  %s"
                .formatted(
                        received && mail.readAt() == null ? "* " : "  ",
                        mail.id(),
                        TIME.format(mail.sentAt()),
                        received
                                ? "from " + mail.fromName()
                                : "to " + String.join(", ", mail.names(Mail.Type.TO)),
                        mail.subject());
    }

    /** The whole message with its head. */
    public static String whole(Mail mail) {
        StringBuilder text = new StringBuilder();
        text.append("Id: ").append(mail.id());
        text.append("\nFrom: ").append(mail.fromName());
        for (Mail.Type type : Mail.Type.values()) {
            List<String> names = mail.names(type);
            if (!names.isEmpty()) {
                text.append('\n').append(label(type)).append(": ").append(String.join(", ", names));
            }
        }
        text.append("\nDate: ").append(TIME.format(mail.sentAt())).append(" UTC");
        if (mail.replyTo() != null) {
            text.append("\nReply-To: ").append(mail.replyTo());
        }
        text.append("\nSubject: ").append(mail.subject());
        return text.append("\n\n").append(mail.body()).toString();
    }

    private static String label(Mail.Type type) {
        return switch (type) {
            case TO -> "To";
            case CC -> "Cc";
            case BCC -> "Bcc";
        };
    }
}
