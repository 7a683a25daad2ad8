package dev.skep.dispatch.job;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.Json;
import java.util.Map;

/**
 * A job by which a person approves or denies a command that waits on a host. The host records who
 * it was; it trusts the hub that a person decided, whatever the name.
 */
public record ApprovalDecisionJob(JobKind kind, String agent, ApprovalId approval, String by) {
    public String payload() {
        return Json.text(Map.of("agent", agent, "approval", approval.value(), "by", by));
    }
}
