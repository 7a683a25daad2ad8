package dev.skep.simulation;

import static dev.skep.agents.AgentTables.USERS;

import dev.skep.simulation.MachineStore.Stored;
import java.util.Comparator;
import java.util.Optional;

/** Courses of events too unlikely to happen by chance, each of which a rule is there for. */
final class PlannedScenarios {
    /** Of so many one is chosen; most are none. */
    static final int CHOICES = 19;

    /** How many of the first ones are about what goes for its age. */
    private static final int WITH_RETENTION = 5;

    private final Scenario scenario;
    private final World world;
    private final SimulatedOperators operators;

    PlannedScenarios(Scenario scenario, SimulatedOperators operators) {
        this.scenario = scenario;
        this.world = scenario.world;
        this.operators = operators;
    }

    static boolean isAboutAge(int course) {
        return course < WITH_RETENTION;
    }

    void plan(int course) {
        switch (course) {
            case 0, 1, 2 -> purgeInBacklog();
            case 3 -> purgeBeforeHeal();
            case 4 -> clockBackAndForth();
            case 5 -> runnerRestoredInBacklog();
            case 6 -> hubRestoredInBacklog();
            case 7 -> joinUnderWrites();
            case 8 -> backToBeforeATakeover();
            default -> {}
        }
    }

    /** A machine whose clock is years ahead at every other start. */
    private void clockBackAndForth() {
        world.count(Fault.CLOCK_BACK_AND_FORTH);
        RunnerMachine runner = scenario.any(scenario.runners);
        HubMachine hub = scenario.any(scenario.hubs);
        boolean atHub = world.coin();
        for (int i = 0; i < 16; i++) {
            // Each time a little less, so that it is never later than it was the first time.
            long years = SimulatedMachine.YEAR - 600L * (i / 2);
            long by = i % 2 == 0 ? years : -years;
            int at = 1_000 + 240 * i;
            world.in(at, () -> (atHub ? hub : runner).jump(by));
            world.in(at + 1, atHub ? hub::crash : runner::crash);
        }
    }

    /** A host from a backup purges rows before its hubs can report that it was restored. */
    private void purgeBeforeHeal() {
        world.count(Fault.PURGE_BEFORE_HEAL);
        RunnerMachine runner = scenario.any(scenario.runners);
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
    private void runnerRestoredInBacklog() {
        world.count(Fault.RESTORE_IN_BACKLOG);
        RunnerMachine runner = scenario.any(scenario.runners);
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

    /** The same with a hub, whose other host cannot repeat it. */
    private void hubRestoredInBacklog() {
        world.count(Fault.RESTORE_IN_BACKLOG);
        HubMachine hub = scenario.any(scenario.hubs);
        SimulatedWire behind = hub.wires.getFirst();
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
    private void joinUnderWrites() {
        world.count(Fault.JOIN_UNDER_WRITES);
        HubMachine hub = scenario.any(scenario.hubs);
        SimulatedWire away = hub.wires.getFirst();
        int from = 1_000 + world.pick(2_000);
        world.in(from, () -> away.partition(true));
        for (SimulatedWire other : hub.wires.subList(1, hub.wires.size())) {
            for (int at = from; at < from + 1_000; at += 10) {
                world.in(at, other.runner()::write);
            }
        }
        world.in(from + 200 + world.pick(400), () -> away.partition(false));
    }

    /** A host purges old rows just as it announces them to a hub, which dies of that. */
    private void purgeInBacklog() {
        world.count(Fault.PURGE_IN_BACKLOG);
        RunnerMachine runner = scenario.any(scenario.runners);
        int from = world.pick(1_500);
        world.in(from, () -> runner.wires.forEach(wire -> wire.partition(true)));
        // Its rows are of a new epoch, so that how far hubs are is stored at once.
        world.in(from + 10, runner::crash);
        for (int i = 0; i < 6; i++) {
            world.in(from + 300 + world.pick(200), runner::write);
        }
        int back = from + 3_400;
        world.in(back, () -> scenario.hubs.forEach(HubMachine::crashSoon));
        world.in(back, () -> runner.wires.forEach(wire -> wire.partition(false)));
        for (int at = back; at < back + 200; at += 10) {
            world.in(at, runner::purge);
        }
    }

    /**
     * An agent goes to a host that dies, all hubs forget that, and the old host goes back to when
     * the agent was its own. It has written nothing since, so only the takeover distinguishes the
     * two times.
     */
    private void backToBeforeATakeover() {
        world.count(Fault.RESTORE_BEFORE_TAKEOVER);
        HubMachine hub = scenario.any(scenario.hubs);
        RunnerMachine old = hub.wires.getFirst().runner();
        RunnerMachine dying = hub.wires.get(1).runner();
        int from = 1_000 + world.pick(3_000);
        world.in(from - 300, old::write);
        world.in(from, old::takeBackup);
        world.in(
                from + 10,
                () -> firstAgentOf(old, hub).ifPresent(it -> operators.give(hub, it, dying)));
        world.in(from + 100, dying::die);
        world.in(from + 101, () -> scenario.hubs.forEach(HubMachine::wipe));
        world.in(from + 450, old::restore);
    }

    private static Optional<Stored> firstAgentOf(RunnerMachine owner, HubMachine hub) {
        return hub.store.rows(USERS).stream()
                .filter(owner::isOwn)
                .min(Comparator.comparing(agent -> agent.row().text(0)));
    }
}
