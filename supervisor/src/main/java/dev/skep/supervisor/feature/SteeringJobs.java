package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.identity.Actor;
import dev.skep.supervisor.source.AgentControls.Outcome;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;

/** What people ask of agents, as jobs that the agents' hosts execute. */
public final class SteeringJobs {
    /** Before other work of the host: a person waits for it. */
    private static final int PRIORITY = 100;

    private final JobQueue queue;

    public SteeringJobs(JobQueue queue) {
        this.queue = queue;
    }

    Outcome ask(Actor actor, Agent agent, String type, Map<String, String> payload) {
        NewJob job = NewJob.plain(agent.host(), type, Json.text(payload)).withPriority(PRIORITY);
        return new Outcome.Queued(queue.create(actor, List.of(job)).getFirst().job().value());
    }
}
