package dev.skep.app.adapter;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.dispatch.hold.AgentCounts;
import dev.skep.kernel.identity.Principal;
import java.util.Map;
import java.util.stream.Collectors;

/** How many agents each host has, by what hosts have synced. */
public final class LiveAgentCounts implements AgentCounts {
    private final AgentStore agents;

    public LiveAgentCounts(AgentStore agents) {
        this.agents = agents;
    }

    @Override
    public Map<String, Integer> byHost(Principal who) {
        return agents.all(who).stream()
                .filter(agent -> agent.isLive() && agent.kind() == Agent.Kind.AGENT)
                .collect(
                        Collectors.groupingBy(
                                agent -> agent.host().value(), Collectors.summingInt(_ -> 1)));
    }
}
