package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentMergeStore;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.agent.AgentFolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Merges agents that were created anew with those of the same name that hubs returned. A running
 * agent stops for that, and continues its session under the identity that others know.
 */
final class AgentMerger {
    private static final Logger LOG = LoggerFactory.getLogger(AgentMerger.class);
    private static final Duration STOPPING = Duration.ofSeconds(10);

    private final Runner runner;
    private final LocalHost host;
    private final RunnerStores stores;
    private final AgentMergeStore store;
    private final AgentFolder folder;
    private final Set<AgentId> leaving = ConcurrentHashMap.newKeySet();

    AgentMerger(Runner runner, LocalHost host, RunnerStores stores, AgentFolder folder) {
        this.runner = runner;
        this.host = host;
        this.stores = stores;
        this.store = stores.reunions();
        this.folder = folder;
    }

    /** Such an agent does not start any more. */
    boolean isLeaving(AgentId agent) {
        return leaving.contains(agent);
    }

    /** Whether every file has its row. */
    boolean isComplete() {
        List<Agent> own = stores.agents().onThisHost();
        return folder.read().agents().stream()
                .allMatch(source -> own.stream().anyMatch(a -> AgentRegistrar.isOf(source, a)));
    }

    /** Whether agents were made that hubs may have given back since. */
    boolean isUnsettled() {
        return !store.provisional().isEmpty();
    }

    /** Joins what can be joined; those that were at work go on. */
    void merge() {
        List<Agent> own = stores.agents().onThisHost();
        Map<AgentId, AgentId> become =
                new DuplicateAgents(own, stores.agents().takenOver(), store.provisional())
                        .mergeTargets();
        if (!become.isEmpty()) {
            try {
                join(own, become);
            } catch (RuntimeException notJoined) {
                leaving.removeAll(become.keySet());
                throw notJoined;
            }
            runner.reload();
            runner.agents().forEach(agent -> runner.atWork().startIfDue(agent.username()));
        }
        if (!host.awaited().isAnyLeft()) {
            store.settle();
        }
        runner.lookForMail();
    }

    private void join(List<Agent> own, Map<AgentId, AgentId> become) {
        leaving.addAll(become.keySet());
        List<RunningAgent> atWork =
                runner.atWork().all().stream()
                        .filter(each -> become.containsKey(each.registered().agent().id()))
                        .toList();
        // Without a reason: the session is open, and the remaining agent continues it.
        atWork.forEach(each -> each.controls().stop(null));
        for (RunningAgent each : atWork) {
            if (!each.joined(STOPPING)) {
                LOG.warn("agent={} did not stop in time", each.registered().agent().username());
            }
        }
        store.merge(become);
        own.stream()
                .filter(agent -> become.containsKey(agent.id()))
                .forEach(
                        agent ->
                                LOG.info(
                                        "agent={} is one again id={} was={}",
                                        agent.username(),
                                        become.get(agent.id()),
                                        agent.id()));
    }
}
