package dev.skep.agents.view;

import dev.skep.agents.Agent;
import dev.skep.agents.Notification;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All agents of an org with what is going on with each, from one snapshot. */
public final class AgentListStore {
    /**
     * Files are long and a list needs little of them: those of our own loop stay where they are.
     */
    private static final String RUNTIME_ONLY =
            "CASE WHEN u.config LIKE '%runtime:%' THEN u.config END";

    private final Database database;

    public AgentListStore(Database database) {
        this.database = database;
    }

    private record Session(SessionKey key, @Nullable String model) {}

    /** All agents, removed ones too, by name; money spent since the instant. */
    public List<AgentRow> all(Principal who, Instant spentSince) {
        return database.read(
                snapshot -> {
                    Map<String, Long> unread = unread(snapshot, who);
                    Map<String, Long> spent = spent(snapshot, who, spentSince);
                    Map<String, Session> sessions = newestSessions(snapshot, who);
                    return snapshot.list(
                            """
                            SELECT %s, %s, u.ver, n.status AS said
                            FROM users u LEFT JOIN user_notifications n ON n.user_id = u.id
                            WHERE u.org_id = ? AND u.same_as IS NULL ORDER BY u.username, u.id
                            """
                                    .formatted(
                                            Agent.ROWS.columns("u", Map.of("config", RUNTIME_ONLY)),
                                            Notification.ROWS.columns("n")),
                            row -> agent(row, unread, spent, sessions),
                            who.org().value());
                });
    }

    private static Map<String, Long> unread(Snapshot snapshot, Principal who) {
        return counted(
                snapshot,
                """
                SELECT r.user_id, count(*) AS n FROM mail_recipients r
                LEFT JOIN mail_status s ON s.message_id = r.message_id AND s.user_id = r.user_id
                WHERE r.org_id = ? AND s.read_at IS NULL
                  AND EXISTS (SELECT 1 FROM mail_messages m
                      WHERE m.id = r.message_id AND m.host_id = r.host_id)
                GROUP BY r.user_id
                """,
                who.org().value());
    }

    private static Map<String, Long> spent(Snapshot snapshot, Principal who, Instant since) {
        return counted(
                snapshot,
                """
                SELECT user_id, CAST(sum(cost) AS BIGINT) AS n FROM costs
                WHERE org_id = ? AND created_at >= ? GROUP BY user_id
                """,
                who.org().value(),
                Timestamps.format(since));
    }

    private static Map<String, Long> counted(Snapshot snapshot, String sql, Object... parameters) {
        Map<String, Long> byUser = new HashMap<>();
        snapshot.list(
                sql,
                row -> {
                    byUser.put(row.text("user_id"), row.number("n"));
                    return true;
                },
                parameters);
        return byUser;
    }

    private static Map<String, Session> newestSessions(Snapshot snapshot, Principal who) {
        Map<String, Session> byUser = new HashMap<>();
        snapshot.list(
                """
                SELECT user_id, run_id, session_id, model_name FROM (
                    SELECT user_id, run_id, session_id, model_name, row_number() OVER (
                        PARTITION BY user_id ORDER BY run_id DESC, CAST(session_id AS INTEGER) DESC) AS n
                    FROM run_session WHERE org_id = ?) AS numbered
                WHERE n = 1
                """,
                row -> {
                    byUser.put(
                            row.text("user_id"),
                            new Session(
                                    new SessionKey(
                                            AgentId.stored(row.text("user_id")),
                                            row.text("run_id"),
                                            Integer.parseInt(row.text("session_id"))),
                                    row.textOrNull("model_name")));
                    return true;
                },
                who.org().value());
        return byUser;
    }

    private static AgentRow agent(
            ResultRow row,
            Map<String, Long> unread,
            Map<String, Long> spent,
            Map<String, Session> sessions) {
        Agent agent = Agent.ROWS.read(row);
        String id = agent.id().value();
        String status = row.textOrNull("said");
        Optional<Session> session = Optional.ofNullable(sessions.get(id));
        return new AgentRow(
                agent,
                Notification.ROWS.readJoined(row, Agent.ROWS.width() + 1),
                status == null ? "stopped" : status,
                unread.getOrDefault(id, 0L),
                spent.getOrDefault(id, 0L),
                session.map(Session::key),
                session.map(Session::model).orElse(null),
                row.number("ver"));
    }
}
