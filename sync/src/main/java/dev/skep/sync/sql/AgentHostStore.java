package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The table {@code agent_hosts}: which hosts write for an agent, or once did, on a hub. */
final class AgentHostStore {
    /** A host that names nothing but agents of others fills no disk with them. */
    private static final int MOST_AWAITED = 10_000;

    Set<String> known(Snapshot snapshot, OrgId org, HostId host, Set<String> agents) {
        List<Object> parameters = new ArrayList<>(List.of(org.value(), host.value()));
        parameters.addAll(agents);
        return new HashSet<>(
                snapshot.list(
                        """
                        SELECT user_id FROM agent_hosts
                        WHERE org_id = ? AND host_id = ? AND known = 1 AND user_id IN (%s)
                        """
                                .formatted(marks(agents)),
                        row -> row.text("user_id"),
                        parameters.toArray()));
    }

    private static String marks(Set<String> agents) {
        return String.join(", ", Collections.nCopies(agents.size(), "?"));
    }

    /** Remembers a host of an agent, and returns whether rows of it waited for that. */
    boolean note(Transaction transaction, OrgId org, HostId host, String agent) {
        boolean awaited =
                transaction.update(
                                """
                                UPDATE agent_hosts SET known = 1
                                WHERE org_id = ? AND host_id = ? AND user_id = ? AND known = 0
                                """,
                                org.value(),
                                host.value(),
                                agent)
                        > 0;
        if (!awaited) {
            insert(transaction, org, host, agent, true);
        }
        return awaited;
    }

    boolean isAwaited(Snapshot snapshot, OrgId org, String agent) {
        return snapshot.first(
                        "SELECT 1 FROM agent_hosts WHERE org_id = ? AND user_id = ? AND known = 0",
                        row -> true,
                        org.value(),
                        agent)
                .isPresent();
    }

    void await(Transaction transaction, OrgId org, HostId host, Set<String> agents) {
        long room =
                MOST_AWAITED
                        - transaction
                                .first(
                                        """
                                        SELECT count(*) FROM agent_hosts
                                        WHERE org_id = ? AND host_id = ? AND known = 0
                                        """,
                                        row -> row.number(1),
                                        org.value(),
                                        host.value())
                                .orElse(0L);
        agents.stream()
                .limit(Math.max(0, room))
                .forEach(agent -> insert(transaction, org, host, agent, false));
    }

    private static void insert(
            Transaction transaction, OrgId org, HostId host, String agent, boolean known) {
        transaction.update(
                """
                INSERT INTO agent_hosts (org_id, host_id, user_id, known) VALUES (?, ?, ?, ?)
                ON CONFLICT (org_id, host_id, user_id) DO NOTHING
                """,
                org.value(),
                host.value(),
                agent,
                known);
    }
}
