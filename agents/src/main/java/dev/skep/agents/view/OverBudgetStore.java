package dev.skep.agents.view;

import dev.skep.agents.AgentStatus;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.util.List;

/** The agents of all orgs that have reached a spend limit. */
public final class OverBudgetStore {
    /** An agent that waits until its limit allows more. */
    public record AgentOverBudget(OrgId org, String agent, String username) {}

    public List<AgentOverBudget> all(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT u.org_id, u.id, u.username
                FROM user_notifications n JOIN users u ON u.id = n.user_id
                WHERE n.status = ? AND u.deleted_at IS NULL
                """,
                row ->
                        new AgentOverBudget(
                                new OrgId(row.text("org_id")),
                                row.text("id"),
                                row.text("username")),
                AgentStatus.OVER_BUDGET.stored());
    }
}
