package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentMergeStore;
import dev.skep.agents.AgentStore;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.row.NameTakenMessage;
import dev.skep.runner.loop.AgentListener;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to this host's operator, once for each, which of its agents have a name that another
 * agent had first.
 */
final class NameConflictReporter {
    private static final Logger LOG = LoggerFactory.getLogger(NameConflictReporter.class);

    private final AgentStore agents;
    private final AgentMergeStore reunions;
    private final AgentListener agentListener;
    private final Set<String> reported = new HashSet<>();

    NameConflictReporter(AgentStore agents, AgentMergeStore reunions, AgentListener agentListener) {
        this.agents = agents;
        this.reunions = reunions;
        this.agentListener = agentListener;
    }

    /** Called by one thread, whenever an agent's row may have changed. */
    void look() {
        // It may be its own name that such an agent has, from before the database was lost.
        Set<AgentId> unsettled = reunions.provisional();
        Set<Agent> taken =
                agents.onThisHost().stream()
                        .filter(agent -> agent.isLive() && agent.nameConflict())
                        .filter(agent -> !unsettled.contains(agent.id()))
                        .collect(Collectors.toSet());
        reported.retainAll(taken.stream().map(Agent::username).collect(Collectors.toSet()));
        for (Agent agent : taken) {
            if (reported.add(agent.username())) {
                String words = NameTakenMessage.username(agent.username());
                LOG.warn("agent={} {}", agent.username(), words);
                agentListener.nameTaken(agent, words);
            }
        }
    }
}
