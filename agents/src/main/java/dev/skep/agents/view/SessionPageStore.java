package dev.skep.agents.view;

import dev.skep.agents.session.RunSession;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Run sessions of an org in pages, the newest first. A session that is still open stores its sums
 * at most once a minute; what came since is added here.
 */
public final class SessionPageStore {
    /** Rows of a merged agent that hubs still hold belong to the agent it was merged into. */
    private static final String WHOLE =
            """
            org_id = ? AND NOT EXISTS (
                SELECT 1 FROM users u WHERE u.id = s.user_id AND u.same_as IS NOT NULL)""";

    private static final Map<String, String> UP_TO_DATE =
            Map.of(
                    "total_lines",
                    """
                    total_lines + CASE WHEN ended_reason IS NULL THEN (
                        SELECT count(*) FROM context_log l WHERE l.user_id = s.user_id
                            AND l.run_id = s.run_id AND l.session_id = s.session_id
                            AND l.id > coalesce(s.latest_log_id, '')) ELSE 0 END""",
                    "total_cost",
                    """
                    total_cost + CASE WHEN ended_reason IS NULL THEN coalesce((
                        SELECT CAST(sum(c.cost) AS BIGINT) FROM costs c WHERE c.user_id = s.user_id
                            AND c.run_id = s.run_id AND c.session_id = s.session_id
                            AND c.created_at >= s.created_at AND c.id > coalesce(s.latest_log_id, '')), 0) ELSE 0 END""");

    private final Database database;

    public SessionPageStore(Database database) {
        this.database = database;
    }

    /** Narrows the list; what is empty does not. */
    public record Filter(Optional<String> host, Optional<String> agent, boolean runningOnly) {
        public static final Filter ALL = new Filter(Optional.empty(), Optional.empty(), false);
    }

    /** Where a page ended. */
    public record After(String run, int session, String agent) {}

    public List<SessionRow> newest(Principal who, Filter filter, Optional<After> after, int limit) {
        WhereClause where =
                new WhereClause(WHOLE, who.org().value())
                        .and("host_id = ?", filter.host())
                        .and("user_id = ?", filter.agent());
        if (filter.runningOnly()) {
            where.and("ended_reason IS NULL");
        }
        after.ifPresent(
                a ->
                        where.and(
                                """
                                (run_id < ? OR (run_id = ? AND (CAST(session_id AS INTEGER) < ?
                                    OR (CAST(session_id AS INTEGER) = ? AND user_id > ?))))""",
                                a.run(),
                                a.run(),
                                a.session(),
                                a.session(),
                                a.agent()));
        return list(where, limit);
    }

    public Optional<SessionRow> find(Principal who, String agent, String run, int session) {
        WhereClause where =
                new WhereClause("org_id = ?", who.org().value())
                        .and(
                                "user_id = ? AND run_id = ? AND session_id = ?",
                                agent,
                                run,
                                Integer.toString(session));
        return list(where, 1).stream().findFirst();
    }

    private List<SessionRow> list(WhereClause where, int limit) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT %s,
                                       CASE WHEN ended_reason IS NULL THEN (
                                           SELECT l.created_at FROM context_log l WHERE l.user_id = s.user_id
                                               AND l.run_id = s.run_id AND l.session_id = s.session_id
                                               ORDER BY l.id DESC LIMIT 1) END AS spoke_at
                                FROM run_session s WHERE %s
                                ORDER BY run_id DESC, CAST(session_id AS INTEGER) DESC, user_id LIMIT ?
                                """
                                        .formatted(RunSession.ROWS.columns("s", UP_TO_DATE), where),
                                SessionPageStore::session,
                                where.parameters(limit)));
    }

    private static SessionRow session(ResultRow row) {
        RunSession session = RunSession.ROWS.read(row);
        // Its own row is written only now and then; its last reply may be newer.
        Instant spoke = row.timeOrNull("spoke_at");
        return new SessionRow(
                spoke == null ? session : session.activeAt(spoke), row.text("host_id"));
    }
}
