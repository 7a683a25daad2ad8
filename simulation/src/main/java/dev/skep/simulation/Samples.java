package dev.skep.simulation;

import static dev.skep.agents.AgentTables.CONTEXT_LOG;
import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static dev.skep.agents.AgentTables.MAIL_RECIPIENTS;
import static dev.skep.agents.AgentTables.MAIL_STATUS;
import static dev.skep.agents.AgentTables.USERS;
import static dev.skep.agents.AgentTables.USER_NOTIFICATIONS;

import dev.skep.directory.HostTable;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.feed.SyncTables;
import dev.skep.sync.SyncSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as agents write them, and ids that carry virtual time. */
final class Samples {
    /** The schema of the program, and that of the version before it, which lacked a table. */
    static final SyncSchema NEW =
            SyncSchema.of(
                    new SyncTables(
                            List.of(
                                    HostTable.HOSTS,
                                    USERS,
                                    USER_NOTIFICATIONS,
                                    MAIL_MESSAGES,
                                    MAIL_RECIPIENTS,
                                    MAIL_STATUS,
                                    CONTEXT_LOG)),
                    5);

    static final SyncSchema OLD =
            SyncSchema.of(
                    new SyncTables(
                            List.of(
                                    HostTable.HOSTS,
                                    USERS,
                                    USER_NOTIFICATIONS,
                                    MAIL_MESSAGES,
                                    MAIL_STATUS,
                                    CONTEXT_LOG)),
                    4);

    static final String POISON = "poison";
    static final String FORGED = "forged";
    private static final String AT = "2027-01-01T00:00:00.000000Z";
    private static final char[] DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();

    private Samples() {}

    /** A ULID of the time and a number. */
    static String id(long millis, long number) {
        char[] text = new char[26];
        for (int i = 9; i >= 0; i--) {
            text[i] = DIGITS[(int) (millis & 31)];
            millis >>>= 5;
        }
        for (int i = 25; i >= 10; i--) {
            text[i] = DIGITS[(int) (number & 31)];
            number >>>= 5;
        }
        return new String(text);
    }

    static @Nullable Object[] host(String id, String name) {
        return HostTable.HOSTS.values(
                "id, name, kind, name_conflict, created_at, updated_at",
                id,
                name,
                "runner",
                0L,
                AT,
                AT);
    }

    static @Nullable Object[] user(String id, String name) {
        return USERS.values(
                "id, username, title, kind, name_conflict, created_at, updated_at",
                id,
                name,
                "0",
                "agent",
                0L,
                AT,
                AT);
    }

    static @Nullable Object[] notification(String user, String status) {
        return USER_NOTIFICATIONS.values(
                "user_id, status, created_at, updated_at", user, status, AT, AT);
    }

    static @Nullable Object[] mail(String id, String from, String body) {
        return MAIL_MESSAGES.values(
                "id, from_user_id, subject, body, created_at, updated_at",
                id,
                from,
                "s",
                body,
                AT,
                AT);
    }

    static @Nullable Object[] recipient(String id, String mail, String user) {
        return MAIL_RECIPIENTS.values(
                "id, message_id, user_id, type, created_at, updated_at",
                id,
                mail,
                user,
                "to",
                AT,
                AT);
    }

    static @Nullable Object[] status(String id, String mail, String user, String readAt) {
        return MAIL_STATUS.values(
                "id, message_id, user_id, read_at, created_at, updated_at",
                id,
                mail,
                user,
                readAt,
                AT,
                AT);
    }

    static @Nullable Object[] log(String id, String user, String message) {
        return CONTEXT_LOG.values(
                "id, user_id, run_id, session_id, role, source, type, message, created_at, updated_at",
                id,
                user,
                "r",
                "1",
                "user",
                "s",
                "t",
                message,
                AT,
                AT);
    }

    static String name(SyncRow user) {
        return user.text(USERS.indexOf("username"));
    }

    /** A row's values with one of them replaced. */
    static @Nullable Object[] with(
            SyncTable table, SyncRow row, String column, @Nullable Object value) {
        @Nullable Object[] values = row.values().clone();
        values[table.indexOf(column)] = value;
        return values;
    }
}
