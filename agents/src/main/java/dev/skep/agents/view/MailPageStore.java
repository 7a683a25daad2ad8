package dev.skep.agents.view;

import dev.skep.agents.mail.MailMessage;
import dev.skep.agents.mail.MailRecipient;
import dev.skep.agents.mail.MailStatus;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages of an org in pages, the newest first, for people who may read all of them. */
public final class MailPageStore {
    private static final int BEGINNING = 160;

    private final Database database;

    public MailPageStore(Database database) {
        this.database = database;
    }

    /**
     * Narrows the list; what is empty does not.
     *
     * @param agent who sent or received it
     * @param host where its sender or one of its recipients lives
     */
    public record Filter(
            Optional<String> agent,
            Optional<String> host,
            Optional<String> text,
            boolean unreadOnly) {
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), Optional.empty(), false);
    }

    public List<MailRow> newest(Principal who, Filter filter, Optional<String> before, int limit) {
        WhereClause where =
                new WhereClause("m.org_id = ?", who.org().value()).and("m.id < ?", before);
        filter.agent()
                .ifPresent(
                        agent ->
                                where.and(
                                        """
                                        (m.from_user_id = ? OR m.id IN (SELECT r.message_id FROM mail_recipients r
                                            JOIN mail_messages o ON o.id = r.message_id AND (o.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                                            WHERE r.user_id = ?))""",
                                        agent,
                                        agent));
        filter.host()
                .ifPresent(
                        host ->
                                where.and(
                                        """
                                        (m.host_id = ? OR m.id IN (SELECT r.message_id FROM mail_recipients r
                                            JOIN mail_messages o ON o.id = r.message_id AND (o.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                                            JOIN users u ON u.id = r.user_id WHERE u.host_id = ?))""",
                                        host,
                                        host));
        filter.text()
                .map(WhereClause::pattern)
                .ifPresent(
                        text ->
                                where.and(
                                        "(lower(m.subject) LIKE ? ESCAPE '!' OR lower(m.body) LIKE ? ESCAPE '!')",
                                        text,
                                        text));
        if (filter.unreadOnly()) {
            where.and(
                    """
                    EXISTS (SELECT 1 FROM mail_recipients r
                        LEFT JOIN mail_status s ON s.message_id = r.message_id AND s.user_id = r.user_id
                        WHERE r.message_id = m.id AND (r.host_id = m.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id)) AND s.read_at IS NULL)""");
        }
        return list("substr(m.body, 1, %d)".formatted(BEGINNING), where, limit);
    }

    public Optional<MailRow> find(Principal who, String id) {
        WhereClause where =
                new WhereClause("m.org_id = ?", who.org().value()).and("m.id = ?", (Object) id);
        return list("m.body", where, 1).stream().findFirst();
    }

    private List<MailRow> list(String body, WhereClause where, int limit) {
        return database.read(
                snapshot -> {
                    List<MailRow> bare =
                            snapshot.list(
                                    "SELECT %s FROM mail_messages m WHERE %s ORDER BY m.id DESC LIMIT ?"
                                            .formatted(
                                                    MailMessage.ROWS.columns(
                                                            "m", Map.of("body", body)),
                                                    where),
                                    MailPageStore::mail,
                                    where.parameters(limit));
                    return withRecipients(snapshot, bare);
                });
    }

    private static List<MailRow> withRecipients(Snapshot snapshot, List<MailRow> bare) {
        if (bare.isEmpty()) {
            return bare;
        }
        Object[] ids = bare.stream().map(mail -> mail.message().id()).toArray();
        String marks = String.join(", ", bare.stream().map(mail -> "?").toList());
        Map<String, List<MailRow.Recipient>> byMessage = new HashMap<>();
        snapshot.list(
                """
                SELECT %s, %s FROM mail_recipients r
                JOIN mail_messages m ON m.id = r.message_id AND (m.host_id = r.host_id OR r.host_id IN (SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                LEFT JOIN mail_status s ON s.message_id = r.message_id AND s.user_id = r.user_id
                WHERE r.message_id IN (%s) ORDER BY r.id
                """
                        .formatted(
                                MailRecipient.ROWS.columns("r"),
                                MailStatus.ROWS.columns("s"),
                                marks),
                row -> {
                    MailRow.Recipient recipient = recipient(row);
                    return byMessage
                            .computeIfAbsent(
                                    recipient.recipient().message(), id -> new ArrayList<>())
                            .add(recipient);
                },
                ids);
        return bare.stream()
                .map(mail -> with(mail, byMessage.getOrDefault(mail.message().id(), List.of())))
                .toList();
    }

    private static MailRow with(MailRow mail, List<MailRow.Recipient> recipients) {
        return new MailRow(mail.message(), mail.host(), recipients);
    }

    private static MailRow.Recipient recipient(ResultRow row) {
        return new MailRow.Recipient(
                MailRecipient.ROWS.read(row),
                MailStatus.ROWS.readJoined(row, MailRecipient.ROWS.width() + 1));
    }

    private static MailRow mail(ResultRow row) {
        return new MailRow(MailMessage.ROWS.read(row), row.text("host_id"), List.of());
    }
}
