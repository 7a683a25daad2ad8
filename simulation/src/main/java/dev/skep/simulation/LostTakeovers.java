package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.id.HostId;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncSchema;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What may be missing, or differ, because no machine is left that knows of a takeover: published as
 * non-promises, with an operator's remedy. Each is excused only until operators have acted on it,
 * and rows that wait must be in the quarantine, while their owner has them. What cannot be remedied
 * since a host is dead is excused for ever.
 */
final class LostTakeovers {
    private final Scenario scenario;
    private final Map<SimulatedMachine, Map<String, Stored>> all;
    private final Map<String, Optional<HostId>> agents = new TreeMap<>();

    LostTakeovers(Scenario scenario, Map<SimulatedMachine, Map<String, Stored>> all) {
        this.scenario = scenario;
        this.all = all;
    }

    /** The agents that operators are to grant again, and to which host if that matters. */
    Map<String, Optional<HostId>> agents() {
        return agents;
    }

    private @Nullable Stored at(SimulatedMachine machine, String key) {
        return all.getOrDefault(machine, Map.of()).get(key);
    }

    private static Optional<String> agentOf(Stored row) {
        return row.table().equals(USERS)
                ? SyncSchema.agentOf(USERS, row.row())
                : row.table().authorOf(row.row());
    }

    private Optional<Stored> agentOf(Stored row, SimulatedMachine as) {
        return agentOf(row).map(id -> at(as, USERS.name() + "/" + id));
    }

    private boolean untilGranted(Stored row) {
        agentOf(row).ifPresent(agent -> agents.putIfAbsent(agent, Optional.empty()));
        return !scenario.isGrantedAgain();
    }

    /**
     * The rows of the host in between arrive once the agent is its own again. An agent cannot be
     * given to a dead host.
     */
    private boolean untilGrantedTo(RunnerMachine between, Stored row) {
        if (between.isGone()) {
            return true;
        }
        agentOf(row).ifPresent(agent -> agents.put(agent, Optional.of(between.self.id())));
        return !scenario.isGrantedAgain();
    }

    /**
     * The new owner of an agent is restored from a backup or dies, and a hub loses the grant as
     * well.
     */
    boolean isLost(RunnerMachine owner, Stored row) {
        // A host that the takeover never reached has the old owner's row, who knows it lost it.
        Stored known = at(owner, RunnerMachine.key(row));
        if (known != null && known.row().gen() > row.row().gen() && !owner.isOwn(known)) {
            return isLost(scenario.owner(known), known);
        }
        return row.row().gen() > 0
                && (owner.wasRestored() || owner.isGone())
                && scenario.hubs.stream().anyMatch(HubMachine::wasLost)
                && untilGranted(row);
    }

    /**
     * The row's author has a new owner, which is dead or lost the takeover before this hub heard of
     * it. Only that owner knew the old one: the row waits in the hub's quarantine, and its owner
     * has it still.
     */
    boolean waits(Stored row, SimulatedMachine owner, SimulatedMachine holder) {
        Optional<Stored> agent = agentOf(row, owner);
        if (!(holder instanceof HubMachine hub)
                || agent.isEmpty()
                || agent.get().row().hostId().equals(row.row().hostId())) {
            return false;
        }
        RunnerMachine newOwner = scenario.owner(agent.get());
        return hub.store.isQuarantined(row, Reason.AGENT_NOT_OF_HOST)
                && (newOwner.isGone() || isLost(newOwner, agent.get()))
                && untilGranted(row);
    }

    /**
     * An agent was given away twice before the second host, or this one, heard of the first. What
     * the host in between wrote for it waits where that ownership is unknown; the hubs have it.
     */
    boolean isOfAnOwnerBetween(Stored row, SimulatedMachine holder) {
        if (!(holder instanceof RunnerMachine runner) || row.row().gen() == 0) {
            return false;
        }
        Optional<Stored> agent = agentOf(row, holder);
        return agent.isPresent()
                && agent.get().row().gen() > row.row().gen()
                && !runner.schema()
                        .hostsOf(agent.get().row())
                        .contains(new HostId(row.row().hostId()))
                && runner.store.isQuarantined(row, Reason.AGENT_NOT_OF_HOST)
                && untilGrantedTo(scenario.owner(row), row);
    }
}
