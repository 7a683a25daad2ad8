package dev.skep.sync.sql;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The table {@code foreign_agents}: which agents of this host came from elsewhere. */
public final class ForeignAgentStore {
    /**
     * An agent with a file here that came from elsewhere.
     *
     * @param hub the address of the hub that brought it
     * @param path its file below the agents folder
     */
    public record Origin(String agent, String hub, String path) {}

    /** Those that have a file. */
    public List<Origin> withFiles(Snapshot snapshot, OrgId org) {
        return snapshot.list(
                """
                SELECT user_id, hub, path FROM foreign_agents
                WHERE org_id = ? AND path IS NOT NULL ORDER BY path, user_id
                """,
                row -> new Origin(row.text("user_id"), row.text("hub"), row.text("path")),
                org.value());
    }

    /** Brings to mind what a database knew that was lost. */
    public void recall(Transaction transaction, OrgId org, Origin known) {
        transaction.update(
                """
                INSERT INTO foreign_agents (user_id, org_id, hub, path, came_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET path = coalesce(foreign_agents.path, excluded.path)
                """,
                known.agent(),
                org.value(),
                known.hub(),
                known.path(),
                Instant.EPOCH);
    }

    /** The hub that brings it now is the one whose consent counts. */
    void remember(Transaction transaction, OrgId org, String userId, String hub, Instant now) {
        transaction.update(
                """
                INSERT INTO foreign_agents (user_id, org_id, hub, came_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET hub = excluded.hub, came_at = excluded.came_at
                """,
                userId,
                org.value(),
                hub,
                now);
    }

    /** Remembers that a hub brings the text of a file, of an agent that may be this host's own. */
    public void bringsFile(Transaction transaction, OrgId org, Origin origin, Instant now) {
        remember(transaction, org, origin.agent(), origin.hub(), now);
        hasFile(transaction, org, origin.agent(), origin.path());
    }

    /** Remembers which file the agent has, before there is one. */
    public void hasFile(Transaction transaction, OrgId org, String userId, String path) {
        transaction.update(
                "UPDATE foreign_agents SET path = ? WHERE org_id = ? AND user_id = ?",
                path,
                org.value(),
                userId);
    }

    /** The address of the hub by which an agent came. */
    public Optional<String> ofAgent(Snapshot snapshot, OrgId org, String userId) {
        return snapshot.first(
                "SELECT hub FROM foreign_agents WHERE org_id = ? AND user_id = ?",
                row -> row.text("hub"),
                org.value(),
                userId);
    }

    /** The same by the agent's file: a row can be taken away from under it, the file cannot. */
    public Optional<String> ofFile(Snapshot snapshot, OrgId org, String path) {
        return snapshot.first(
                "SELECT hub FROM foreign_agents WHERE org_id = ? AND path = ? ORDER BY came_at DESC LIMIT 1",
                row -> row.text("hub"),
                org.value(),
                path);
    }

    /** This host's owner vouches for an agent and its file; false if they were its own already. */
    public boolean makeOwn(Transaction transaction, OrgId org, String userId, String path) {
        return transaction.update(
                        "DELETE FROM foreign_agents WHERE org_id = ? AND (user_id = ? OR path = ?)",
                        org.value(),
                        userId,
                        path)
                > 0;
    }
}
