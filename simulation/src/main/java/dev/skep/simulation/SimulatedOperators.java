package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.simulation.MachineStore.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** People who give agents to other hosts, and say so on every hub, sooner or later. */
final class SimulatedOperators {
    private final Scenario scenario;
    private final World world;
    private final List<Takeover> takeovers = new ArrayList<>();

    private record Takeover(OrgId org, HostId to, String userId, long gen) {}

    SimulatedOperators(Scenario scenario) {
        this.scenario = scenario;
        this.world = scenario.world;
    }

    /** Moves an agent to another host, by the word given on one hub. */
    void give(HubMachine hub, Stored agent, RunnerMachine to) {
        String user = agent.row().text(0);
        long gen = hub.grant(agent.org(), to.self.id(), user);
        if (gen > 0) {
            world.count(Fault.TAKEOVER);
            world.say(() -> "operator gives %s to %s on %s".formatted(user, to, hub));
            Takeover takeover = new Takeover(agent.org(), to.self.id(), user, gen);
            takeovers.add(takeover);
            scenario.hubs.forEach(other -> world.within(1_500, () -> confirm(other, takeover)));
        }
    }

    private static void confirm(HubMachine hub, Takeover takeover) {
        hub.confirm(takeover.org, takeover.to, takeover.userId, takeover.gen);
    }

    /** Says on every hub what was ever decided: a wiped one has forgotten it. */
    void confirmAll() {
        takeovers.forEach(takeover -> scenario.hubs.forEach(hub -> confirm(hub, takeover)));
    }

    /**
     * Gives agents whose takeovers were lost away once more, to a live host, on every hub.
     *
     * @param agents each with the host it must go to, if that matters
     */
    void giveAgain(Map<String, Optional<HostId>> agents) {
        world.count(Fault.GRANTED_AGAIN);
        agents.forEach(
                (user, host) -> {
                    List<Stored> known =
                            scenario.stores().stream()
                                    .flatMap(store -> store.rows(USERS).stream())
                                    .filter(row -> row.row().text(0).equals(user))
                                    .toList();
                    HostId to = host.orElseGet(() -> whoStillHas(user));
                    world.say(() -> "operator gives %s to %s again".formatted(user, to));
                    long gen = above(user, known);
                    Takeover again = new Takeover(known.getFirst().org(), to, user, gen);
                    scenario.hubs.forEach(hub -> confirm(hub, again));
                });
    }

    private long above(String user, List<Stored> known) {
        return 1
                + Stream.concat(
                                known.stream().map(row -> row.row().gen()),
                                takeovers.stream()
                                        .filter(takeover -> takeover.userId.equals(user))
                                        .map(Takeover::gen))
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }

    /** A live host that has the latest version of the agent: others cannot take it. */
    private HostId whoStillHas(String user) {
        return scenario.runners.stream()
                .filter(runner -> !runner.isGone())
                .max(Comparator.comparingLong(runner -> generation(runner, user)))
                .orElseThrow()
                .self
                .id();
    }

    private static long generation(RunnerMachine runner, String user) {
        return runner.store.rows(USERS).stream()
                .filter(row -> row.row().text(0).equals(user))
                .mapToLong(row -> row.row().gen())
                .findFirst()
                .orElse(-1);
    }
}
