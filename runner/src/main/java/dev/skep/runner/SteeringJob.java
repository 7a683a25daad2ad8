package dev.skep.runner;

import dev.skep.kernel.identity.Principal;
import dev.skep.runner.jobs.AssignedRun;
import dev.skep.runner.jobs.JobResult;
import dev.skep.runner.jobs.JobType;
import dev.skep.runner.jobs.Output;
import dev.skep.transport.route.Fields;
import java.util.Map;

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
    public boolean does(String type) {
        return switch (type) {
            case "agent.talk", "agent.rename", "agent.approve", "agent.deny" -> true;
            default -> false;
        };
    }

    @Override
    public JobResult run(AssignedRun run, Output output) {
        Fields payload = run.payload();
        String agent = payload.text("agent");
        Outcome outcome =
                switch (run.type()) {
                    case "agent.talk" -> desk.talk(agent, payload.text("text"));
                    case "agent.rename" -> desk.rename(agent, payload.text("name"));
                    case "agent.approve" -> desk.decide(host, payload.text("approval"), true);
                    default -> desk.decide(host, payload.text("approval"), false);
                };
        return outcome instanceof Outcome.Done
                ? JobResult.succeeded(Map.of("message", outcome.message()))
                : JobResult.failed(outcome.message());
    }
}
