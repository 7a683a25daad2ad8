package dev.skep.runner;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.runner.approval.Decider;
import dev.skep.runner.jobs.AssignedRun;
import dev.skep.runner.jobs.JobResult;
import dev.skep.runner.jobs.JobType;
import dev.skep.runner.jobs.Output;
import dev.skep.transport.route.JsonFields;
import java.util.Map;
import java.util.Set;

/**
 * What people at a hub ask of an agent of this host that is over at once: a word to it, another
 * name, a decision about a command that waits.
 */
public final class SteeringJob implements JobType {
    private final Desk desk;
    private final Principal host;

    public SteeringJob(Desk desk, Principal host) {
        this.desk = desk;
        this.host = host;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(
                JobKind.AGENT_TALK,
                JobKind.AGENT_RENAME,
                JobKind.AGENT_APPROVE,
                JobKind.AGENT_DENY);
    }

    @Override
    public JobResult run(AssignedRun run, Output output) {
        JsonFields payload = run.payload();
        String agent = payload.text("agent");
        Outcome outcome =
                switch (run.type()) {
                    case "agent.talk" -> desk.talk(agent, payload.text("text"));
                    case "agent.rename" -> desk.rename(agent, payload.text("name"));
                    case "agent.approve" -> decide(run, true);
                    default -> decide(run, false);
                };
        return outcome instanceof Outcome.Done
                ? JobResult.succeeded(Map.of("message", outcome.message()))
                : JobResult.failed(outcome.message());
    }

    private Outcome decide(AssignedRun run, boolean approve) {
        String id = run.payload().text("approval");
        if (!Ids.isUlid(id)) {
            return new Outcome.Refused("an approval is named by its full id of 26 characters");
        }
        // Hubs of earlier versions do not say who.
        String by = run.payload().optionalText("by").orElse("somebody");
        return desk.decide(
                Decider.at(run.hub(), new Actor(host, "hub " + run.hub()), by),
                new ApprovalId(id),
                approve);
    }
}
