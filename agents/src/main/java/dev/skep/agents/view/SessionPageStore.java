package dev.skep.agents.view;

import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Fields;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Run sessions of an org in pages, the newest first. */
public final class SessionPageStore {
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
        Where where =
                new Where("org_id = ?", who.org().value())
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
        Where where =
                new Where("org_id = ?", who.org().value())
                        .and(
                                "user_id = ? AND run_id = ? AND session_id = ?",
                                agent,
                                run,
                                Integer.toString(session));
        return list(where, 1).stream().findFirst();
    }

    private List<SessionRow> list(Where where, int limit) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT user_id, run_id, session_id, host_id, model_name, total_lines, total_cost,
                                       created_at, last_active, ended_reason
                                FROM run_session WHERE %s
                                ORDER BY run_id DESC, CAST(session_id AS INTEGER) DESC, user_id LIMIT ?
                                """
                                        .formatted(where),
                                SessionPageStore::session,
                                where.parameters(limit)));
    }

    private static SessionRow session(Fields row) {
        Instant active = row.timeOrNull("last_active");
        return new SessionRow(
                row.text("user_id"),
                row.text("run_id"),
                Integer.parseInt(row.text("session_id")),
                row.text("host_id"),
                row.textOrNull("model_name"),
                row.number("total_lines"),
                row.number("total_cost"),
                row.time("created_at"),
                active == null ? row.time("created_at") : active,
                row.textOrNull("ended_reason"));
    }
}
