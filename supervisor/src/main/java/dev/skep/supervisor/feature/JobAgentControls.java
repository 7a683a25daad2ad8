package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.job.JobKind;
import dev.skep.supervisor.source.AgentControls;
import java.util.Map;
import java.util.Optional;

/** Steers agents by jobs that their hosts execute, when they are there. */
public final class JobAgentControls implements AgentControls {
    private final AgentStore agents;
    private final SteeringJobs jobs;

    public JobAgentControls(AgentStore agents, SteeringJobs jobs) {
        this.agents = agents;
        this.jobs = jobs;
    }

    @Override
    public Outcome act(Actor actor, AgentId id, Action action, String text) {
        Optional<Agent> agent = agents.byId(actor.principal(), id);
        if (agent.isEmpty()) {
            return new Outcome.Refused("there is no agent %s; check the id".formatted(id));
        }
        String name = agent.get().username();
        Map<String, String> payload =
                switch (action) {
                    case START, STOP, PAUSE, RESUME, CANCEL -> Map.of("agent", name);
                    case TALK -> Map.of("agent", name, "text", text);
                    case RENAME -> Map.of("agent", name, "name", text);
                };
        JobKind kind =
                switch (action) {
                    case START -> JobKind.AGENT_START;
                    case STOP -> JobKind.AGENT_STOP;
                    case PAUSE -> JobKind.AGENT_PAUSE;
                    case RESUME -> JobKind.AGENT_RESUME;
                    case CANCEL -> JobKind.AGENT_CANCEL;
                    case TALK -> JobKind.AGENT_TALK;
                    case RENAME -> JobKind.AGENT_RENAME;
                };
        return jobs.ask(actor, agent.get(), kind, payload);
    }
}
