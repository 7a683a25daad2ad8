package dev.skep.agents.mail;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads mailboxes; changes nothing. Only the sender's host decides who receives a message: rows of
 * recipients that another host wrote are ignored.
 */
public final class MailReader {
    private static final String COLUMNS =
            "SELECT DISTINCT %s, u.username AS from_name, s.read_at, s.archived_at\n"
                    .formatted(MailMessage.ROWS.columns("m"));

    private static final String SENDER_AND_STATUS =
            """
            LEFT JOIN users u ON u.id = m.from_user_id
            LEFT JOIN mail_status s ON s.message_id = m.id AND s.user_id = ?
            """;

    /** Driven by the recipient's index: a mailbox costs what it holds, whatever the org holds. */
    private static final String RECEIVED =
            COLUMNS
                    + "FROM mail_recipients r JOIN mail_messages m\n"
                    + "ON m.id = r.message_id AND (m.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))\n"
                    + SENDER_AND_STATUS
                    + "WHERE r.user_id = ? AND m.org_id = ? ";

    private static final String SENT =
            COLUMNS
                    + "FROM mail_messages m\n"
                    + SENDER_AND_STATUS
                    + "WHERE m.from_user_id = ? AND m.org_id = ? ";

    private static final String EITHER =
            COLUMNS
                    + "FROM mail_messages m\n"
                    + SENDER_AND_STATUS
                    + """
                    WHERE (m.id IN (SELECT r.message_id FROM mail_recipients r
                            JOIN mail_messages o ON o.id = r.message_id AND (o.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                            WHERE r.user_id = ?)
                        OR m.from_user_id = ?) AND m.org_id = ?
                    """;

    private final Database database;

    public MailReader(Database database) {
        this.database = database;
    }

    /** Received and not archived, the newest first. */
    public List<Mail> inbox(Mailbox mailbox, int limit) {
        return list(
                mailbox, RECEIVED + "AND s.archived_at IS NULL ORDER BY m.id DESC LIMIT ?", limit);
    }

    /** Received and not read, the oldest first. */
    public List<Mail> unread(Mailbox mailbox, int limit) {
        return list(mailbox, RECEIVED + "AND s.read_at IS NULL ORDER BY m.id LIMIT ?", limit);
    }

    /** The same, of what was sent from one host. */
    public List<Mail> unreadFrom(Mailbox mailbox, HostId sender, int limit) {
        return list(
                mailbox,
                RECEIVED + "AND s.read_at IS NULL AND m.host_id = ? ORDER BY m.id LIMIT ?",
                sender.value(),
                limit);
    }

    /** Sent, the newest first. */
    public List<Mail> outbox(Mailbox mailbox, int limit) {
        return list(mailbox, SENT + "ORDER BY m.id DESC LIMIT ?", limit);
    }

    /** Sent or received, archived too, with the text in subject or body; the newest first. */
    public List<Mail> search(Mailbox mailbox, String text, int limit) {
        String pattern =
                "%"
                        + text.toLowerCase(Locale.ROOT)
                                .replace("!", "!!")
                                .replace("%", "!%")
                                .replace("_", "!_")
                        + "%";
        return list(
                mailbox,
                EITHER
                        + """
                        AND (lower(m.subject) LIKE ? ESCAPE '!' OR lower(m.body) LIKE ? ESCAPE '!')
                        ORDER BY m.id DESC LIMIT ?
                        """,
                pattern,
                pattern,
                limit);
    }

    /**
     * One message of this mailbox by its id, or by the last characters of it if they are unique.
     */
    public Optional<Mail> find(Mailbox mailbox, String idOrEnd) {
        String end = idOrEnd.toUpperCase(Locale.ROOT);
        if (!end.matches("[0-9A-Z]+")) {
            return Optional.empty();
        }
        List<Mail> found = list(mailbox, EITHER + "AND m.id LIKE ? LIMIT 2", "%" + end);
        return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
    }

    /** The newest messages of the whole org, as an operator sees them; nothing is marked. */
    public List<Mail> ofOrg(Principal who, int limit) {
        if (who instanceof Principal.Agent || who instanceof Principal.Host) {
            return List.of();
        }
        return database.read(
                snapshot ->
                        withRecipients(
                                snapshot,
                                snapshot.list(
                                        COLUMNS
                                                + "FROM mail_messages m\n"
                                                + SENDER_AND_STATUS
                                                + "WHERE m.org_id = ? ORDER BY m.id DESC LIMIT ?",
                                        MailReader::mail,
                                        "",
                                        who.org().value(),
                                        limit),
                                null));
    }

    /**
     * Mail that one agent has not read.
     *
     * @param fromHere whether it was sent from the agent's own host
     */
    public record Heap(AgentId agent, boolean fromHere) {}

    /** How much is unread, and the newest of it. */
    public record Unread(long count, String newest) {}

    /** The mail that agents of a host have not read. */
    public Map<Heap, Unread> unreadOn(HostId host) {
        Map<Heap, Unread> heaps = new HashMap<>();
        database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT r.user_id, CASE WHEN m.host_id = u.host_id THEN 1 ELSE 0 END AS from_here,
                                       count(*) AS unread, max(r.message_id) AS newest
                                FROM users u
                                JOIN mail_recipients r ON r.user_id = u.id
                                JOIN mail_messages m
                                    ON m.id = r.message_id AND (m.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                                LEFT JOIN mail_status s
                                    ON s.message_id = r.message_id AND s.user_id = r.user_id
                                WHERE u.host_id = ? AND u.deleted_at IS NULL AND s.read_at IS NULL
                                GROUP BY r.user_id, from_here
                                """,
                                row ->
                                        heaps.put(
                                                        new Heap(
                                                                new AgentId(row.text("user_id")),
                                                                row.number("from_here") == 1),
                                                        new Unread(
                                                                row.number("unread"),
                                                                row.text("newest")))
                                                == null,
                                host.value()));
        return heaps;
    }

    /** Binds the mailbox as often as the statement asks for it, then the rest. */
    private List<Mail> list(Mailbox mailbox, String sql, Object... parameters) {
        List<Object> all = new ArrayList<>();
        all.add(mailbox.owner().value());
        all.add(mailbox.owner().value());
        if (sql.startsWith(EITHER)) {
            all.add(mailbox.owner().value());
        }
        all.add(mailbox.org().value());
        all.addAll(List.of(parameters));
        return database.read(
                snapshot ->
                        withRecipients(
                                snapshot,
                                snapshot.list(sql, MailReader::mail, all.toArray()),
                                mailbox.owner()));
    }

    private record Named(String message, Mail.Recipient recipient) {}

    /** Fills in the recipients that {@code reader} may see; null may see all. */
    private static List<Mail> withRecipients(
            Snapshot snapshot, List<Mail> mails, @Nullable AgentId reader) {
        if (mails.isEmpty()) {
            return mails;
        }
        Set<String> ids = new TreeSet<>();
        mails.forEach(mail -> ids.add(mail.id()));
        String marks = String.join(", ", ids.stream().map(id -> "?").toList());
        Map<String, List<Mail.Recipient>> byMessage = new HashMap<>();
        snapshot.list(
                        """
                        SELECT %s, coalesce(u.username, r.user_id) AS name
                        FROM mail_recipients r
                        JOIN mail_messages m ON m.id = r.message_id AND (m.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                        LEFT JOIN users u ON u.id = r.user_id
                        WHERE r.message_id IN (%s) ORDER BY r.id
                        """
                                .formatted(MailRecipient.ROWS.columns("r"), marks),
                        MailReader::named,
                        ids.toArray())
                .forEach(
                        named ->
                                byMessage
                                        .computeIfAbsent(named.message(), id -> new ArrayList<>())
                                        .add(named.recipient()));
        return mails.stream()
                .map(mail -> visible(mail, byMessage.getOrDefault(mail.id(), List.of()), reader))
                .toList();
    }

    private static Mail visible(Mail m, List<Mail.Recipient> all, @Nullable AgentId reader) {
        List<Mail.Recipient> shown =
                all.stream()
                        .filter(
                                r ->
                                        r.type() != Mail.Type.BCC
                                                || reader == null
                                                || reader.equals(m.from())
                                                || reader.equals(r.agent()))
                        .toList();
        return new Mail(
                m.id(),
                m.from(),
                m.fromName(),
                shown,
                m.subject(),
                m.body(),
                m.replyTo(),
                m.sentAt(),
                m.readAt(),
                m.archivedAt());
    }

    private static Named named(ResultRow row) {
        MailRecipient recipient = MailRecipient.ROWS.read(row);
        return new Named(
                recipient.message(),
                new Mail.Recipient(
                        Mail.Type.of(recipient.type()), recipient.agent(), row.text("name")));
    }

    private static Mail mail(ResultRow row) {
        MailMessage message = MailMessage.ROWS.read(row);
        String name = row.textOrNull("from_name");
        return new Mail(
                message.id(),
                message.from(),
                name == null ? message.from().value() : name,
                List.of(),
                message.subject(),
                message.body(),
                message.replyTo(),
                message.sentAt(),
                row.timeOrNull("read_at"),
                row.timeOrNull("archived_at"));
    }
}
