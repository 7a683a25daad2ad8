package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.sync.QuarantinedRow;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The table {@code awaited_agents}: the agents for which a runner has quarantined forwarded rows,
 * and the position from which it asks the hubs again.
 */
final class AwaitedAgentStore {
    private static final String KNOWN_NOW =
            """
            FROM awaited_agents w WHERE w.hub = ? AND EXISTS (
                SELECT 1 FROM agent_hosts a WHERE a.org_id = w.org_id AND a.host_id = w.host_id
                  AND a.user_id = w.user_id AND a.known = 1)
            """;

    void await(
            Transaction transaction,
            String hub,
            long from,
            OrgId org,
            HostId host,
            Set<String> agents) {
        for (String agent : agents) {
            transaction.update(
                    """
                    INSERT INTO awaited_agents (hub, org_id, host_id, user_id, asked_from)
                    VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (hub, org_id, host_id, user_id) DO UPDATE SET asked_from =
                        CASE WHEN excluded.asked_from < awaited_agents.asked_from
                        THEN excluded.asked_from ELSE awaited_agents.asked_from END
                    """,
                    hub,
                    org.value(),
                    host.value(),
                    agent,
                    from);
        }
    }

    /** The position of the first of those rows whose agent is known by now. */
    OptionalLong knownFrom(Snapshot snapshot, String hub) {
        List<Long> from =
                snapshot.list(
                        "SELECT w.asked_from " + KNOWN_NOW + " ORDER BY w.asked_from LIMIT 1",
                        row -> row.number("asked_from"),
                        hub);
        return from.isEmpty() ? OptionalLong.empty() : OptionalLong.of(from.getFirst());
    }

    private record Known(String org, String host, String agent) {}

    /** Forgets those whose agent is known, and what was set aside for them: it comes again. */
    void forgetKnown(Transaction transaction, String hub) {
        List<Known> known =
                transaction.list(
                        "SELECT w.org_id, w.host_id, w.user_id " + KNOWN_NOW,
                        row ->
                                new Known(
                                        row.text("org_id"),
                                        row.text("host_id"),
                                        row.text("user_id")),
                        hub);
        for (Known each : known) {
            transaction.update(
                    """
                    DELETE FROM awaited_agents
                    WHERE hub = ? AND org_id = ? AND host_id = ? AND user_id = ?
                    """,
                    hub,
                    each.org(),
                    each.host(),
                    each.agent());
            transaction.update(
                    """
                    DELETE FROM sync_quarantine
                    WHERE org_id = ? AND host_id = ? AND reason = ? AND row_json LIKE ?
                    """,
                    each.org(),
                    each.host(),
                    QuarantinedRow.Reason.AGENT_NOT_OF_HOST.code(),
                    "%" + each.agent() + "%");
        }
    }
}
