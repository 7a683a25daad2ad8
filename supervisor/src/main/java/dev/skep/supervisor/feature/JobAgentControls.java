package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.supervisor.source.AgentControls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
        return agent.isEmpty()
                ? unknown(id)
                : jobs.ask(actor, agent.get(), kind(action), payload(agent.get(), action, text));
    }

    @Override
    public List<Outcome> actAll(Actor actor, List<AgentId> ids, Action action, String text) {
        Map<AgentId, Agent> known = new HashMap<>();
        agents.all(actor.principal()).forEach(agent -> known.put(agent.id(), agent));
        List<Agent> found =
                ids.stream().map(known::get).filter(Objects::nonNull).distinct().toList();
        Map<AgentId, Outcome> asked =
                jobs.askAll(actor, found, kind(action), agent -> payload(agent, action, text));
        return ids.stream().map(id -> asked.getOrDefault(id, unknown(id))).toList();
    }

    private static Outcome unknown(AgentId id) {
        return new Outcome.Refused("there is no agent %s; check the id".formatted(id));
    }

    @Override
    public Optional<Outcome> ended(Principal who, String job) {
        return jobs.ended(who, job);
    }

    private static Map<String, String> payload(Agent agent, Action action, String text) {
        String name = agent.username();
        return switch (action) {
            case START, STOP, PAUSE, RESUME, CANCEL -> Map.of("agent", name);
            case TALK -> Map.of("agent", name, "text", text);
            case RENAME -> Map.of("agent", name, "name", text);
        };
    }

    private static JobKind kind(Action action) {
        return switch (action) {
            case START -> JobKind.AGENT_START;
            case STOP -> JobKind.AGENT_STOP;
            case PAUSE -> JobKind.AGENT_PAUSE;
            case RESUME -> JobKind.AGENT_RESUME;
            case CANCEL -> JobKind.AGENT_CANCEL;
            case TALK -> JobKind.AGENT_TALK;
            case RENAME -> JobKind.AGENT_RENAME;
        };
    }
}
