package dev.skep.agents.session;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code run_session}. */
public final class RunSessionStore {
    /** Lines and cost are counted, not read: the stored sums are written at most once a minute. */
    private static final String SELECT =
            """
            SELECT %s FROM run_session s WHERE s.org_id = ? AND NOT EXISTS (
                SELECT 1 FROM users u WHERE u.id = s.user_id AND u.same_as IS NOT NULL)
            """
                    .formatted(
                            RunSession.ROWS.columns(
                                    "s",
                                    Map.of(
                                            "latest_log_id",
                                            """
                                            coalesce((SELECT max(l.id) FROM context_log l WHERE l.user_id = s.user_id
                                                AND l.run_id = s.run_id AND l.session_id = s.session_id), s.latest_log_id)""")));

    private final Database database;
    private final OwnRowWriter own;

    public RunSessionStore(Database database, OwnRowWriter own) {
        this.database = database;
        this.own = own;
    }

    public void put(Transaction transaction, RunSession session) {
        own.put(transaction, RunSession.ROWS, session, session.lastActive());
    }

    public void put(RunSession session) {
        database.write(
                transaction -> {
                    put(transaction, session);
                    return true;
                });
    }

    /** Where an agent of this host left off, with its sums made exact; empty if it had ended. */
    public Optional<RunSession> toResume(AgentId agent) {
        return latest(new Principal.Local(own.org()), agent)
                .filter(session -> session.endedReason() == null)
                .map(this::recounted);
    }

    public Optional<RunSession> latest(Principal who, AgentId agent) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                SELECT
                                        + """
                                         AND s.user_id = ?
                                        ORDER BY s.run_id DESC, CAST(s.session_id AS INTEGER) DESC LIMIT 1
                                        """,
                                RunSession.ROWS::read,
                                who.org().value(),
                                agent.value()));
    }

    /** The newest sessions first, of one agent or of all. */
    public List<RunSession> list(Principal who, @Nullable AgentId agent, int limit) {
        List<Object> parameters = new ArrayList<>(List.of(who.org().value()));
        if (agent != null) {
            parameters.add(agent.value());
        }
        parameters.add(limit);
        return database.read(
                snapshot ->
                        snapshot.list(
                                SELECT
                                        + (agent == null ? "" : " AND s.user_id = ?")
                                        + " ORDER BY s.run_id DESC, CAST(s.session_id AS INTEGER) DESC LIMIT ?",
                                RunSession.ROWS::read,
                                parameters.toArray()));
    }

    private RunSession recounted(RunSession s) {
        @Nullable Object[] key = {
            s.key().agent().value(), s.key().run(), Integer.toString(s.key().session())
        };
        String where = " WHERE user_id = ? AND run_id = ? AND session_id = ?";
        return database.read(
                snapshot ->
                        s.counted(
                                snapshot.first(
                                                "SELECT count(*) FROM context_log" + where,
                                                row -> row.number(1),
                                                key)
                                        .orElse(0L),
                                snapshot.first(
                                                "SELECT CAST(coalesce(sum(cost), 0) AS BIGINT) FROM costs"
                                                        + where,
                                                row -> row.number(1),
                                                key)
                                        .orElse(0L)));
    }
}
