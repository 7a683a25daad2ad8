package dev.skep.runner.managed;

import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.util.Optional;

/** The local table {@code managed_sessions}: the session of its runtime that each agent is in. */
public final class ManagedSessionStore {
    private final Database database;

    public ManagedSessionStore(Database database) {
        this.database = database;
    }

    /**
     * A session as the runtime knows it.
     *
     * @param runtimeSession the id that the runtime gave it
     */
    record Kept(SessionKey session, String runtime, String folder, String runtimeSession) {}

    Optional<Kept> of(Principal who, AgentId agent) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                """
                                SELECT user_id, run_id, session_id, runtime, folder, runtime_session
                                FROM managed_sessions WHERE org_id = ? AND user_id = ?
                                """,
                                ManagedSessionStore::kept,
                                who.org().value(),
                                agent.value()));
    }

    void put(Principal who, Kept kept) {
        database.write(
                transaction ->
                        transaction.update(
                                """
                                INSERT INTO managed_sessions
                                    (user_id, org_id, run_id, session_id, runtime, folder, runtime_session)
                                VALUES (?, ?, ?, ?, ?, ?, ?)
                                ON CONFLICT (user_id) DO UPDATE SET org_id = excluded.org_id,
                                    run_id = excluded.run_id, session_id = excluded.session_id,
                                    runtime = excluded.runtime, folder = excluded.folder,
                                    runtime_session = excluded.runtime_session
                                """,
                                kept.session().agent().value(),
                                who.org().value(),
                                kept.session().run(),
                                Integer.toString(kept.session().session()),
                                kept.runtime(),
                                kept.folder(),
                                kept.runtimeSession()));
    }

    void forget(Principal who, AgentId agent) {
        database.write(
                transaction ->
                        transaction.update(
                                "DELETE FROM managed_sessions WHERE org_id = ? AND user_id = ?",
                                who.org().value(),
                                agent.value()));
    }

    private static Kept kept(ResultRow row) {
        return new Kept(
                new SessionKey(
                        new AgentId(row.text("user_id")),
                        row.text("run_id"),
                        Integer.parseInt(row.text("session_id"))),
                row.text("runtime"),
                row.text("folder"),
                row.text("runtime_session"));
    }
}
