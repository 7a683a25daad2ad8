package dev.skep.dispatch.policy;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;

/** The table {@code job_policies}; an org without a row has the standard one. */
public final class JobPolicyStore {
    public JobPolicy of(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                        "SELECT refuse_excess FROM job_policies WHERE org_id = ?",
                        row -> new JobPolicy(row.flag("refuse_excess")),
                        org.value())
                .orElse(JobPolicy.STANDARD);
    }

    public void set(Transaction transaction, OrgId org, JobPolicy policy, Instant now) {
        transaction.update(
                """
                INSERT INTO job_policies (org_id, refuse_excess, updated_at) VALUES (?, ?, ?)
                ON CONFLICT (org_id) DO UPDATE
                SET refuse_excess = excluded.refuse_excess, updated_at = excluded.updated_at""",
                org.value(),
                policy.refuseExcess(),
                now);
    }
}
