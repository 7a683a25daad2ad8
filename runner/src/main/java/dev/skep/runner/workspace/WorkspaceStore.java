package dev.skep.runner.workspace;

import dev.skep.kernel.id.AgentId;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.util.List;
import java.util.Optional;

/** The local table {@code workspaces}. */
public final class WorkspaceStore {
    private static final String SELECT =
            "SELECT user_id, repo, branch, base_commit, made_at FROM workspaces ";

    private final Database database;

    public WorkspaceStore(Database database) {
        this.database = database;
    }

    public Optional<Workspace> find(AgentId agent) {
        return database.read(
                snapshot ->
                        snapshot.first(
                                SELECT + "WHERE user_id = ?",
                                WorkspaceStore::workspace,
                                agent.value()));
    }

    public List<Workspace> all() {
        return database.read(
                snapshot -> snapshot.list(SELECT + "ORDER BY user_id", WorkspaceStore::workspace));
    }

    /** Stores it in the place of an earlier one. */
    public void put(Workspace workspace) {
        database.write(
                transaction -> {
                    transaction.update(
                            "DELETE FROM workspaces WHERE user_id = ?", workspace.agent().value());
                    return transaction.update(
                            """
                            INSERT INTO workspaces (user_id, repo, branch, base_commit, made_at)
                            VALUES (?, ?, ?, ?, ?)
                            """,
                            workspace.agent().value(),
                            workspace.repo(),
                            workspace.branch(),
                            workspace.base(),
                            workspace.madeAt());
                });
    }

    public void remove(AgentId agent) {
        database.write(
                transaction ->
                        transaction.update(
                                "DELETE FROM workspaces WHERE user_id = ?", agent.value()));
    }

    private static Workspace workspace(ResultRow row) {
        return new Workspace(
                AgentId.stored(row.text("user_id")),
                row.text("repo"),
                row.text("branch"),
                row.text("base_commit"),
                row.time("made_at"));
    }
}
