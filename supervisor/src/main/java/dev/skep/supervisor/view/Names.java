package dev.skep.supervisor.view;

import dev.skep.kernel.identity.Principal;
import java.util.HashMap;
import java.util.Map;

/** What people call agents and hosts, as of a second ago; an id where nobody told. */
public record Names(Map<String, AgentView> agents, Map<String, String> hosts) {
    static Names of(Fleet fleet, Principal principal) {
        Map<String, AgentView> agents = new HashMap<>();
        fleet.recentAgents(principal).forEach(agent -> agents.put(agent.id(), agent));
        return new Names(agents, fleet.hostNames(principal));
    }

    public String agent(String id) {
        AgentView agent = agents.get(id);
        return agent == null ? id : agent.username();
    }

    public String host(String id) {
        return hosts.getOrDefault(id, id);
    }
}
