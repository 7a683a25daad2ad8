package dev.skep.agents.view;

import dev.skep.agents.session.LogRow;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import java.util.List;
import java.util.Optional;

/** Log lines of an org in pages: backwards to read what was, forwards to follow what comes. */
public final class LogPageStore {
    private static final String SELECT =
            "SELECT " + LogRow.ROWS.columns() + " FROM context_log WHERE %s ORDER BY id %s LIMIT ?";

    private final Database database;

    public LogPageStore(Database database) {
        this.database = database;
    }

    /** Narrows the lines; what is empty does not. */
    public record Filter(
            Optional<String> host,
            Optional<String> agent,
            Optional<String> run,
            Optional<String> session,
            Optional<String> text,
            Optional<String> type) {}

    /** The last lines before an id, in the order they were written. */
    public List<LogRow> before(Principal who, Filter filter, Optional<String> id, int limit) {
        WhereClause where = where(who, filter).and("id < ?", id);
        return list(SELECT.formatted(where, "DESC"), where, limit).reversed();
    }

    /** The first lines after an id, in the order they were written. */
    public List<LogRow> after(Principal who, Filter filter, String id, int limit) {
        WhereClause where = where(who, filter).and("id > ?", id);
        return list(SELECT.formatted(where, "ASC"), where, limit);
    }

    private static WhereClause where(Principal who, Filter filter) {
        return new WhereClause("org_id = ?", who.org().value())
                .and("user_id = ?", filter.agent())
                .and("run_id = ?", filter.run())
                .and("session_id = ?", filter.session())
                .and("host_id = ?", filter.host())
                .and("type = ?", filter.type())
                .contains("message", filter.text());
    }

    private List<LogRow> list(String sql, WhereClause where, int limit) {
        return database.read(
                snapshot -> snapshot.list(sql, LogRow.ROWS::read, where.parameters(limit)));
    }
}
