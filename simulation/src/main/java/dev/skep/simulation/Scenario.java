package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.SetAside.Reason;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fleet and the trouble it gets into, as the seed has it. */
final class Scenario implements AutoCloseable {
    static final int ORGS = 2;
    private static final int TROUBLE = 5_000;

    /** How many of the planned courses are about what goes for its age. */
    private static final int PLANNED_WITH_RETENTION = 5;

    final World world;
    final List<RunnerMachine> runners = new ArrayList<>();
    final List<HubMachine> hubs = new ArrayList<>();
    private final List<Wire> wires = new ArrayList<>();
    private final List<Takeover> takeovers = new ArrayList<>();
    private final Courier courier;

    private record Takeover(OrgId org, HostId to, String userId, long gen) {}

    Scenario(World world, Stores stores, boolean encoded) {
        this.world = world;
        this.courier = new Courier(world, encoded);
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

    private void addRunner(String name, String org, int number, SyncSchema schema, Stores stores) {
        RunnerMachine runner =
                new RunnerMachine(world, name, new OrgId(org), number, schema, stores);
        runners.add(runner);
        for (HubMachine hub : hubs) {
            wires.add(new Wire(world, runner, hub, courier));
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
        int special = world.pick(18);
        if (world.coin() || special < PLANNED_WITH_RETENTION) {
            planRetention();
        }
        switch (special) {
            case 0, 1, 2 -> planPurgeInBacklog();
            case 3 -> planPurgeBeforeHeal();
            case 4 -> planClockBackAndForth();
            case 5 -> planRunnerRestoredInBacklog();
            case 6 -> planHubRestoredInBacklog();
            case 7 -> planJoinUnderWrites();
            default -> {}
        }
        world.in(TROUBLE + 500, this::calm);
    }

    private void planNetwork() {
        for (int i = world.pick(3); i > 0; i--) {
            Wire wire = any(wires);
            int from = world.pick(TROUBLE);
            world.in(from, () -> wire.partition(true));
            world.in(from + world.pick(900), () -> wire.partition(false));
        }
        for (int i = world.pick(3); i > 0; i--) {
            world.within(TROUBLE, any(wires)::halfOpen);
        }
        if (world.pick(3) == 0) {
            Wire wire = any(wires);
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
            Machine machine = world.coin() ? any(runners) : any(hubs);
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
        for (int at = world.pick(PurgeRounds.EVERY); at < TROUBLE; at += PurgeRounds.EVERY) {
            world.in(at, () -> runners.forEach(RunnerMachine::purge));
            world.in(at, () -> hubs.forEach(HubMachine::purge));
        }
        for (int i = world.pick(5); i > 0; i--) {
            Machine machine = world.coin() ? any(runners) : any(hubs);
            long years = (1L + world.pick(3)) * Machine.YEAR;
            boolean ahead = world.coin();
            world.within(TROUBLE, () -> machine.jump(ahead ? years : -years));
        }
    }

    /** A machine whose clock is years ahead at every other start. */
    private void planClockBackAndForth() {
        world.count(Fault.CLOCK_BACK_AND_FORTH);
        RunnerMachine runner = any(runners);
        HubMachine hub = any(hubs);
        boolean atHub = world.coin();
        for (int i = 0; i < 16; i++) {
            // Each time a little less, so that it is never later than it was the first time.
            long years = Machine.YEAR - 600L * (i / 2);
            long by = i % 2 == 0 ? years : -years;
            int at = 1_000 + 240 * i;
            world.in(at, () -> (atHub ? hub : runner).jump(by));
            world.in(at + 1, atHub ? hub::crash : runner::crash);
        }
    }

    /** A host from a backup lets rows go before its hubs can tell it that it was restored. */
    private void planPurgeBeforeHeal() {
        world.count(Fault.PURGE_BEFORE_HEAL);
        RunnerMachine runner = any(runners);
        for (int i = 0; i < 4; i++) {
            world.in(200 + world.pick(400), runner::write);
        }
        world.in(2_000, runner::takeBackup);
        world.in(2_100, runner::write);
        world.in(2_600, () -> runner.wires.forEach(wire -> wire.partition(true)));
        world.in(2_610, runner::restore);
        world.in(4_510, () -> runner.wires.forEach(wire -> wire.partition(false)));
    }

    /** A backup while no hub listens, rows that move, one page pulled, and back to the backup. */
    private void planRunnerRestoredInBacklog() {
        world.count(Fault.RESTORE_IN_BACKLOG);
        RunnerMachine runner = any(runners);
        int from = 1_000 + world.pick(3_000);
        world.in(from, () -> runner.wires.forEach(wire -> wire.partition(true)));
        for (int i = 0; i < 4; i++) {
            world.in(from + 50 + world.pick(200), runner::write);
        }
        world.in(from + 300, runner::takeBackup);
        world.in(from + 320, runner::touch);
        world.in(from + 350, () -> runner.wires.forEach(wire -> wire.partition(false)));
        world.in(from + 355 + world.pick(60), runner::restore);
    }

    /** The same with a hub, whose other host cannot tell it again. */
    private void planHubRestoredInBacklog() {
        world.count(Fault.RESTORE_IN_BACKLOG);
        HubMachine hub = any(hubs);
        Wire behind = hub.wires.getFirst();
        RunnerMachine dying = hub.wires.get(1).runner();
        int from = 1_000 + world.pick(3_000);
        world.in(from, () -> behind.partition(true));
        for (int i = 0; i < 5; i++) {
            world.in(from + world.pick(200), dying::write);
        }
        world.in(from + 300, hub::takeBackup);
        world.in(from + 310, dying::touch);
        world.in(from + 400, dying::die);
        world.in(from + 450, () -> behind.partition(false));
        world.in(from + 460 + world.pick(60), hub::restore);
    }

    /** A host that was away comes back to a hub whose other hosts never stop writing. */
    private void planJoinUnderWrites() {
        world.count(Fault.JOIN_UNDER_WRITES);
        HubMachine hub = any(hubs);
        Wire away = hub.wires.getFirst();
        int from = 1_000 + world.pick(2_000);
        world.in(from, () -> away.partition(true));
        for (Wire other : hub.wires.subList(1, hub.wires.size())) {
            for (int at = from; at < from + 1_000; at += 10) {
                world.in(at, other.runner()::write);
            }
        }
        world.in(from + 200 + world.pick(400), () -> away.partition(false));
    }

    /** A host lets old rows go just when it tells a hub of them, which dies of that. */
    private void planPurgeInBacklog() {
        world.count(Fault.PURGE_IN_BACKLOG);
        RunnerMachine runner = any(runners);
        int from = world.pick(1_500);
        world.in(from, () -> runner.wires.forEach(wire -> wire.partition(true)));
        // Its rows are of a new epoch, so that how far hubs are is stored at once.
        world.in(from + 10, runner::crash);
        for (int i = 0; i < 6; i++) {
            world.in(from + 300 + world.pick(200), runner::write);
        }
        int back = from + 3_400;
        world.in(back, () -> hubs.forEach(HubMachine::crashSoon));
        world.in(back, () -> runner.wires.forEach(wire -> wire.partition(false)));
        for (int at = back; at < back + 200; at += 10) {
            world.in(at, runner::purge);
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
        RunnerMachine to = any(others);
        String user = agent.row().text(0);
        long gen = hub.grant(agent.org(), to.self.id(), user);
        if (gen > 0) {
            world.count(Fault.TAKEOVER);
            world.say(() -> "operator gives %s to %s on %s".formatted(user, to, hub));
            Takeover takeover = new Takeover(agent.org(), to.self.id(), user, gen);
            takeovers.add(takeover);
            hubs.forEach(other -> world.within(1_500, () -> confirm(other, takeover)));
        }
    }

    private void confirm(HubMachine hub, Takeover takeover) {
        hub.confirm(takeover.org, takeover.to, takeover.userId, takeover.gen);
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
        for (Wire wire : wires) {
            wire.slow(false);
            wire.partition(false);
        }
        world.in(1_000, () -> takeovers.forEach(t -> hubs.forEach(hub -> confirm(hub, t))));
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

    private List<MachineStore> stores() {
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

    private <T> T any(List<T> of) {
        return of.get(world.pick(of.size()));
    }

    @Override
    public void close() {
        stores().forEach(MachineStore::close);
    }
}
