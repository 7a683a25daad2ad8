package dev.skep.agents.view;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.List;

/** Mail to the mailboxes of people, in the order in which it was stored here. */
public final class MailForPeopleStore {
    /**
     * A message that arrived; what people write to each other too, and nothing to themselves.
     *
     * @param position of its row in the change feed
     */
    public record Arrived(
            long position,
            String username,
            String message,
            String from,
            String subject,
            Instant at) {}

    public List<Arrived> after(Snapshot snapshot, OrgId org, long position, int limit) {
        return snapshot.list(
                """
                SELECT r.feed, u.username, m.id, coalesce(f.username, m.from_user_id) AS sender,
                    m.subject, m.created_at
                FROM mail_recipients r
                JOIN users u ON u.id = r.user_id AND u.org_id = r.org_id AND u.kind = ?
                JOIN mail_messages m ON m.id = r.message_id AND m.org_id = r.org_id
                    AND (m.host_id = r.host_id OR r.host_id IN (
                        SELECT w.host_id FROM users w WHERE w.same_as = r.user_id))
                LEFT JOIN users f ON f.id = m.from_user_id AND f.org_id = m.org_id
                WHERE r.org_id = ? AND r.feed > ? AND m.from_user_id <> r.user_id
                ORDER BY r.feed LIMIT ?
                """,
                row ->
                        new Arrived(
                                row.number("feed"),
                                row.text("username"),
                                row.text("id"),
                                row.text("sender"),
                                row.text("subject"),
                                row.time("created_at")),
                Agent.Kind.OPERATOR.stored(),
                org.value(),
                position,
                limit);
    }

    /** The position of the newest row of any recipient; 0 if there is none. */
    public long newest(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                        "SELECT coalesce(max(feed), 0) AS newest FROM mail_recipients WHERE org_id = ?",
                        row -> row.number("newest"),
                        org.value())
                .orElse(0L);
    }
}
