package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A fleet and the trouble it gets into, as the seed has it. */
final class Scenario implements AutoCloseable {
    static final int ORGS = 2;
    private static final int TROUBLE = 5_000;

    final World world;
    final List<RunnerMachine> runners = new ArrayList<>();
    final List<HubMachine> hubs = new ArrayList<>();
    private final List<SimulatedWire> wires = new ArrayList<>();
    private final SimulatedOperators operators;
    private final Courier courier;

    private boolean grantedAgain;

    Scenario(World world, MachineStores stores, boolean encoded) {
        this.world = world;
        this.courier = new Courier(world, encoded);
        this.operators = new SimulatedOperators(this);
        boolean oldHub = world.pick(10) == 0;
        int hubCount = 1 + world.pick(2);
        for (int i = 0; i < hubCount; i++) {
            int processes = world.pick(4) == 0 ? 2 : 1;
            if (processes == 2) {
                world.count(Fault.SECOND_PROCESS);
            }
            SyncSchema schema = oldHub && i == 0 ? Samples.OLD : Samples.NEW;
            hubs.add(new HubMachine(world, "hub" + i, schema, processes, stores));
        }
        int oldRunner = world.pick(10) == 0 ? 0 : -1;
        int runnerCount = 2 + world.pick(2);
        for (int i = 0; i < runnerCount; i++) {
            addRunner("r" + i, "org", i, i == oldRunner ? Samples.OLD : Samples.NEW, stores);
        }
        if (world.pick(4) == 0) {
            addRunner("x", "other", 9, Samples.NEW, stores);
        }
        if (oldHub) {
            world.count(Fault.OLD_HUB);
        }
        if (oldRunner == 0) {
            world.count(Fault.OLD_RUNNER);
        }
    }

    private void addRunner(
            String name, String org, int number, SyncSchema schema, MachineStores stores) {
        RunnerMachine runner =
                new RunnerMachine(world, name, new OrgId(org), number, schema, stores);
        runners.add(runner);
        for (HubMachine hub : hubs) {
            wires.add(new SimulatedWire(world, runner, hub, courier));
        }
    }

    /** Plans everything that is to happen until the end of trouble. */
    void plan() {
        hubs.forEach(hub -> world.within(50, hub::boot));
        runners.forEach(runner -> world.within(50, runner::boot));
        for (RunnerMachine runner : runners) {
            int writes = 6 + world.pick(8);
            for (int i = 0; i < writes; i++) {
                world.within(TROUBLE, runner::write);
            }
        }
        planNetwork();
        planMachines();
        planPeople();
        PlannedScenarios plannedScenarios = new PlannedScenarios(this, operators);
        int course = world.pick(PlannedScenarios.CHOICES);
        if (world.coin() || PlannedScenarios.isAboutAge(course)) {
            planRetention();
        }
        plannedScenarios.plan(course);
        world.in(TROUBLE + 500, this::calm);
    }

    private void planNetwork() {
        for (int i = world.pick(3); i > 0; i--) {
            SimulatedWire wire = any(wires);
            int from = world.pick(TROUBLE);
            world.in(from, () -> wire.partition(true));
            world.in(from + world.pick(900), () -> wire.partition(false));
        }
        for (int i = world.pick(3); i > 0; i--) {
            world.within(TROUBLE, any(wires)::halfOpen);
        }
        if (world.pick(3) == 0) {
            SimulatedWire wire = any(wires);
            world.within(
                    TROUBLE,
                    () -> {
                        world.count(Fault.SLOW_CONSUMER);
                        wire.slow(true);
                    });
        }
        if (world.pick(8) == 0) {
            world.within(TROUBLE, any(wires)::flood);
        }
    }

    private void planMachines() {
        for (int i = world.pick(3); i > 0; i--) {
            SimulatedMachine machine = world.coin() ? any(runners) : any(hubs);
            world.within(TROUBLE, () -> machine.jump(world.pick(200_000) - 150_000));
        }
        if (world.pick(2) == 0) {
            RunnerMachine runner = any(runners);
            int from = world.pick(3_000);
            if (world.pick(4) > 0) {
                world.in(from, runner::takeBackup);
            }
            world.in(from + 100 + world.pick(2_000), runner::restore);
        }
        if (world.pick(2) == 0) {
            HubMachine hub = any(hubs);
            int from = world.pick(3_000);
            world.in(from, hub::takeBackup);
            world.in(from + 100 + world.pick(2_000), world.coin() ? hub::restore : hub::wipe);
        }
        if (world.pick(10) == 0) {
            world.in(2_000 + world.pick(3_000), any(runners)::die);
        }
        runners.forEach(runner -> world.within(TROUBLE, runner::upgrade));
        hubs.forEach(hub -> world.within(TROUBLE, hub::upgrade));
    }

    /** Old rows go everywhere, after a time that each machine has for itself. */
    private void planRetention() {
        for (int at = world.pick(PurgeOracle.EVERY); at < TROUBLE; at += PurgeOracle.EVERY) {
            world.in(at, () -> runners.forEach(RunnerMachine::purge));
            world.in(at, () -> hubs.forEach(HubMachine::purge));
        }
        for (int i = world.pick(5); i > 0; i--) {
            SimulatedMachine machine = world.coin() ? any(runners) : any(hubs);
            long years = (1L + world.pick(3)) * SimulatedMachine.YEAR;
            boolean ahead = world.coin();
            world.within(TROUBLE, () -> machine.jump(ahead ? years : -years));
        }
    }

    private void planPeople() {
        if (world.pick(2) == 0) {
            world.in(1_000 + world.pick(4_000), this::takeOver);
            world.in(1_000 + world.pick(4_000), this::takeOver);
        }
        if (world.pick(3) == 0) {
            world.in(
                    500 + world.pick(4_000),
                    () -> {
                        Stored agent = anyAgent(any(hubs));
                        if (agent != null) {
                            courier.forge(agent);
                        }
                    });
        }
        if (world.pick(3) == 0) {
            world.in(
                    500 + world.pick(4_000),
                    () -> {
                        Stored agent = anyAgent(any(hubs));
                        if (agent != null) {
                            courier.forgeForward(agent);
                        }
                    });
        }
    }

    /** An operator moves an agent to another host, and says so on the other hubs later. */
    private void takeOver() {
        HubMachine hub = any(hubs);
        Stored agent = anyAgent(hub);
        if (agent == null) {
            return;
        }
        List<RunnerMachine> others =
                runners.stream()
                        .filter(r -> r.self.org().equals(agent.org()) && !r.isOwn(agent))
                        .toList();
        if (others.isEmpty()) {
            return;
        }
        operators.give(hub, agent, any(others));
    }

    private @Nullable Stored anyAgent(HubMachine hub) {
        List<Stored> agents = new ArrayList<>(hub.store.rows(USERS));
        agents.sort(Comparator.comparing(agent -> agent.row().text(0)));
        return agents.isEmpty() ? null : agents.get(world.pick(agents.size()));
    }

    /** Nothing goes wrong any more; operators repeat on every hub what a wiped one forgot. */
    private void calm() {
        world.calm();
        runners.forEach(RunnerMachine::upgrade);
        hubs.forEach(HubMachine::upgrade);
        for (SimulatedWire wire : wires) {
            wire.slow(false);
            wire.partition(false);
        }
        world.in(1_000, operators::confirmAll);
    }

    boolean isGrantedAgain() {
        return grantedAgain;
    }

    /** Operators act on what waits for them; nothing is excused from then on. */
    void grantAgain(Map<String, Optional<HostId>> agents) {
        grantedAgain = true;
        operators.giveAgain(agents);
    }

    RunnerMachine owner(Stored row) {
        return runners.stream()
                .filter(runner -> runner.isOwn(row))
                .findFirst()
                .orElseThrow(() -> new Violation("a row without an owner"));
    }

    /** Counts what the protocol did that can be seen in the databases afterwards. */
    void countTraces() {
        for (MachineStore store : stores()) {
            for (Reason reason : store.reasons()) {
                world.count(
                        switch (reason) {
                            case TAKEOVER_UNCONFIRMED -> Fault.TAKEOVER_UNCONFIRMED;
                            case OWNERSHIP_VIOLATION -> Fault.OWNERSHIP_VIOLATION;
                            case AGENT_NOT_OF_HOST -> Fault.AGENT_NOT_OF_HOST;
                            case TAKEN_OVER -> Fault.TAKEN_OVER;
                            case LOST_TIMELINE -> Fault.LOST_TIMELINE;
                            default -> Fault.SET_ASIDE;
                        });
            }
        }
        for (RunnerMachine runner : runners) {
            if (runner.store.read(db -> db.healedEpoch(runner.self.id().value())) > 0) {
                world.count(Fault.STAMPED_ANEW);
            }
        }
    }

    List<MachineStore> stores() {
        List<MachineStore> stores = new ArrayList<>();
        runners.forEach(runner -> stores.add(runner.store));
        hubs.forEach(hub -> stores.add(hub.store));
        return stores;
    }

    /** Where every database's clock stands. */
    List<Long> positions() {
        return stores().stream().map(store -> store.read(SyncStore.Reading::now)).toList();
    }

    /** The same number for the same rows everywhere. */
    long outcome() {
        long outcome = 0;
        for (MachineStore store : stores()) {
            long rows = 0;
            for (Stored row : store.rows()) {
                // Added up, so that the order in which a database gives rows does not matter.
                // When a row was last changed is for people, and only a real database says it.
                Object[] values = Samples.with(row.table(), row.row(), "updated_at", null);
                rows += RunnerMachine.key(row).hashCode() * 31L + row.row().ver() * 7;
                rows += Arrays.hashCode(values);
            }
            outcome = outcome * 1_000_003 + store.read(SyncStore.Reading::now) * 31 + rows;
        }
        return outcome;
    }

    <T> T any(List<T> of) {
        return of.get(world.pick(of.size()));
    }

    @Override
    public void close() {
        stores().forEach(MachineStore::close);
    }
}
