package dev.skep.dispatch.job;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job by which a person approves or denies a command that waits on a host. The host records who
 * it was; it trusts the hub that a person decided, whatever the name.
 *
 * @param reason why it is denied, which the agent gets; hosts of earlier versions ignore it
 */
public record ApprovalDecisionJob(
        JobKind kind, String agent, ApprovalId approval, String by, @Nullable String reason) {
    public String payload() {
        Map<String, String> payload = new LinkedHashMap<>();
        payload.put("agent", agent);
        payload.put("approval", approval.value());
        payload.put("by", by);
        if (reason != null) {
            payload.put("reason", reason);
        }
        return Json.text(payload);
    }
}
