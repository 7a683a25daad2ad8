package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.supervisor.source.AgentControls;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Steers agents by jobs that their hosts execute, when they are there. */
public final class JobAgentControls implements AgentControls {
    /** Before other work of the host: a person waits for it. */
    private static final int PRIORITY = 100;

    private final AgentStore agents;
    private final JobQueue queue;

    public JobAgentControls(AgentStore agents, JobQueue queue) {
        this.agents = agents;
        this.queue = queue;
    }

    @Override
    public Outcome act(Actor actor, AgentId id, Action action, String text) {
        Optional<Agent> agent = agents.byId(actor.principal(), id);
        if (agent.isEmpty()) {
            return new Outcome.Refused("there is no agent %s; check the id".formatted(id));
        }
        String name = agent.get().username();
        return switch (action) {
            case START, STOP, PAUSE, RESUME ->
                    queued(
                            actor,
                            agent.get(),
                            "agent." + action.name().toLowerCase(Locale.ROOT),
                            Map.of("agent", name));
            case TALK ->
                    queued(actor, agent.get(), "agent.task", Map.of("agent", name, "task", text));
            case RENAME ->
                    new Outcome.Refused(
                            "the name of %s stands in its file on %s; rename the file there"
                                    .formatted(name, agent.get().hostName()));
        };
    }

    private Outcome queued(Actor actor, Agent agent, String type, Map<String, String> payload) {
        NewJob job = NewJob.plain(agent.host(), type, Json.text(payload)).withPriority(PRIORITY);
        return new Outcome.Queued(queue.create(actor, List.of(job)).getFirst().job().value());
    }
}
