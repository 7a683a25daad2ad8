package dev.skep.app.adapter;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.ChangeOrigin;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.transport.route.JsonFields;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.JobResult;
import dev.skep.worker.JobType;
import dev.skep.worker.RunOutput;
import java.util.Map;
import java.util.Set;

/**
 * Short requests of people at a hub to an agent of this host: a message, another name, a decision
 * about a waiting command.
 */
public final class SteeringJob implements JobType {
    private final AgentService agentService;
    private final Principal host;

    public SteeringJob(AgentService agentService, Principal host) {
        this.agentService = agentService;
        this.host = host;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(
                JobKind.AGENT_TALK,
                JobKind.AGENT_RENAME,
                JobKind.AGENT_APPROVE,
                JobKind.AGENT_APPROVE_ALWAYS,
                JobKind.AGENT_DENY);
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) {
        JsonFields payload = run.payload();
        String agent = payload.text("agent");
        ActionResult actionResult =
                switch (run.type()) {
                    case "agent.talk" -> agentService.talk(agent, payload.text("text"));
                    case "agent.rename" ->
                            agentService.rename(
                                    agent,
                                    payload.text("name"),
                                    new ChangeOrigin(
                                            payload.optionalText("by").orElse("somebody"),
                                            run.hub(),
                                            "renamed",
                                            run.jobId()));
                    case "agent.approve" -> decide(run, ApprovalChoice.ONCE);
                    case "agent.approve_always" -> decide(run, ApprovalChoice.ALWAYS);
                    default -> decide(run, ApprovalChoice.DENY);
                };
        return actionResult instanceof ActionResult.Done
                ? JobResult.succeeded(Map.of("message", actionResult.message()))
                : JobResult.failed(actionResult.message());
    }

    private ActionResult decide(AssignedRun run, ApprovalChoice choice) {
        String id = run.payload().text("approval");
        if (!Ids.isUlid(id)) {
            return new ActionResult.Refused("an approval is named by its full id of 26 characters");
        }
        // Hubs of earlier versions do not send who decided.
        String by = run.payload().optionalText("by").orElse("somebody");
        return agentService.decide(
                Decider.at(run.hub(), new Actor(host, "hub " + run.hub()), by),
                new ApprovalId(id),
                choice,
                run.payload().optionalText("reason").orElse(null));
    }
}
