package dev.skep.dispatch.policy;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code job_policies}; an org without a row has the standard one. */
public final class JobPolicyStore {
    public JobPolicy of(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                        "SELECT refuse_excess, agent_job_types FROM job_policies WHERE org_id = ?",
                        row ->
                                new JobPolicy(
                                        row.flag("refuse_excess"),
                                        types(row.textOrNull("agent_job_types"))),
                        org.value())
                .orElse(JobPolicy.STANDARD);
    }

    public void set(Transaction transaction, OrgId org, JobPolicy policy, Instant now) {
        transaction.update(
                """
                INSERT INTO job_policies (org_id, refuse_excess, agent_job_types, updated_at)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (org_id) DO UPDATE
                SET refuse_excess = excluded.refuse_excess,
                    agent_job_types = excluded.agent_job_types, updated_at = excluded.updated_at""",
                org.value(),
                policy.refuseExcess(),
                String.join(" ", policy.agentJobTypes()),
                now);
    }

    /** Null if never set; empty if set to none. */
    private static List<String> types(@Nullable String stored) {
        return stored == null
                ? JobPolicy.STANDARD.agentJobTypes()
                : Arrays.stream(stored.split(" ", -1)).filter(type -> !type.isEmpty()).toList();
    }
}
