package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which rows of this host are one agent, after its database was lost: by their name, or by their
 * file if that was given another name meanwhile.
 *
 * @param own all agents of this host, removed ones too
 * @param takenOver those among them that were another host's once
 * @param provisional those that were made while hubs had still to answer
 */
record DuplicateAgents(List<Agent> own, Set<AgentId> takenOver, Set<AgentId> provisional) {

    /** What becomes what. The one that others have known for longest stays. */
    Map<AgentId, AgentId> mergeTargets() {
        Map<AgentId, AgentId> become = new HashMap<>();
        for (Agent each : own) {
            original(each)
                    .filter(found -> !found.id().equals(each.id()))
                    .ifPresent(found -> become.put(each.id(), found.id()));
        }
        return become;
    }

    private Optional<Agent> original(Agent each) {
        Optional<Agent> named = oldest(each, other -> other.username().equals(each.username()));
        String path = each.path();
        return named.isEmpty() && path != null && provisional.contains(each.id())
                ? oldest(each, other -> path.equals(other.path()))
                : named;
    }

    /**
     * An agent that was taken over may have the name of one that was here before, and is another.
     * It is the same only if nothing else can be what was made from its file.
     */
    private Optional<Agent> oldest(Agent each, Predicate<Agent> matches) {
        boolean isMade = provisional.contains(each.id());
        if (takenOver.contains(each.id())) {
            return Optional.empty();
        }
        return own.stream()
                .filter(other -> other.kind() == each.kind() && matches.test(other))
                .filter(other -> !provisional.contains(other.id()))
                .filter(other -> isMade || !takenOver.contains(other.id()))
                .min(
                        Comparator.<Agent, Boolean>comparing(a -> takenOver.contains(a.id()))
                                // A removed agent stays removed.
                                .thenComparing(a -> !isMade && !a.isLive())
                                .thenComparing(a -> a.id().value()));
    }
}
