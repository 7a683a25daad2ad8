package dev.skep.agents.session;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code context_log}: append-only. */
public final class LogStore {
    private static final String SELECT =
            "SELECT %s FROM context_log WHERE org_id = ?".formatted(LogRow.ROWS.columns());

    private final Database database;
    private final OwnRowWriter own;

    public LogStore(Database database, OwnRowWriter own) {
        this.database = database;
        this.own = own;
    }

    public void append(Transaction transaction, List<LogEntry> entries) {
        if (!entries.isEmpty()) {
            List<LogRow> rows = entries.stream().map(entry -> entry.row(own.self())).toList();
            own.putAll(transaction, LogRow.ROWS, 0, rows, entries.getLast().at());
        }
    }

    /** A whole session, in order. */
    public List<LogEntry> of(Principal who, SessionKey session) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT
                                        + " AND user_id = ? AND run_id = ? AND session_id = ? ORDER BY id",
                                LogStore::entry,
                                who.org().value(),
                                session.agent().value(),
                                session.run(),
                                Integer.toString(session.session())));
    }

    /**
     * Lines of one agent or of all, in order: the first after an id, so that who follows a log
     * misses none, or the last of all.
     */
    public List<LogEntry> tail(
            Principal who, @Nullable AgentId agent, @Nullable String afterId, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(who.org().value()));
        StringBuilder sql = new StringBuilder(SELECT);
        if (agent != null) {
            sql.append(" AND user_id = ?");
            parameters.add(agent.value());
        }
        if (afterId != null) {
            sql.append(" AND id > ?");
            parameters.add(afterId);
        }
        boolean forwards = afterId != null;
        sql.append(forwards ? " ORDER BY id LIMIT ?" : " ORDER BY id DESC LIMIT ?");
        parameters.add(limit);
        List<LogEntry> found =
                database.read(
                        snapshot ->
                                snapshot.list(
                                        sql.toString(), LogStore::entry, parameters.toArray()));
        return forwards ? found : found.reversed();
    }

    /** An agent's lines of one type since then, in order. */
    public List<LogEntry> since(Principal who, AgentId agent, LogEntry.Type type, Instant since) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT
                                        + " AND user_id = ? AND type = ? AND created_at >= ? ORDER BY id",
                                LogStore::entry,
                                who.org().value(),
                                agent.value(),
                                LogEntry.stored(type),
                                Timestamps.format(since)));
    }

    /** The greatest id stored, for a ULID source that must go on above it. */
    public Optional<String> greatestId() {
        return database.read(
                snapshot ->
                        snapshot.first(
                                "SELECT id FROM context_log WHERE host_id = ? ORDER BY id DESC LIMIT 1",
                                row -> row.text("id"),
                                own.self().value()));
    }

    private static LogEntry entry(ResultRow row) {
        return LogEntry.of(LogRow.ROWS.read(row));
    }
}
