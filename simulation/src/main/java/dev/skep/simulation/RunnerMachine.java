package dev.skep.simulation;

import dev.skep.directory.HostTable;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.simulation.MachineStore.OwnRow;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.QuarantinedRow.Reason;
import dev.skep.sync.SyncSchema;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A runner: its agents write whether or not a hub is there. */
final class RunnerMachine extends SimulatedMachine {
    final Principal.Host self;
    final MachineStore store;
    final FaultyStore faulty;

    /** Keys a restore took away, each with the hubs that held it then: it must come back. */
    final Map<String, Set<HubMachine>> owed = new HashMap<>();

    /**
     * Own rows it let go since it was last restored, of which no hub has another version, and which
     * did not count as lost before.
     */
    final Map<String, Stored> letGo = new HashMap<>();

    final PurgeOracle purgeOracle;

    private final AgentWork work;
    private SyncSchema schema;
    private boolean alive;
    private boolean movedPending;
    private boolean restored;
    private boolean gone;
    private @Nullable Object backup;

    RunnerMachine(
            World world,
            String name,
            OrgId org,
            int number,
            SyncSchema schema,
            MachineStores stores) {
        super(world, name);
        this.self = new Principal.Host(org, new HostId(Samples.id(1, number)));
        this.schema = schema;
        this.store = stores.open(world, this, schema, false, this::moved);
        this.faulty = new FaultyStore(world, store);
        this.purgeOracle = new PurgeOracle(this, store, 1_200 + world.pick(1_800));
        this.work = new AgentWork(this);
        this.backup = store.backup();
    }

    SyncSchema schema() {
        return schema;
    }

    boolean wasRestored() {
        return restored;
    }

    boolean isAlive() {
        return alive;
    }

    /** The machine is lost for good. */
    void die() {
        if (!gone) {
            world.count(Fault.DEAD_HOST);
            gone = true;
            crash();
        }
    }

    boolean isGone() {
        return gone;
    }

    void boot() {
        if (alive || gone) {
            return;
        }
        alive = true;
        world.say(() -> name + " starts");
        purgeOracle.look();
        beginProcess();
        store.start(schema);
        run(this::introduce);
        wires.forEach(SimulatedWire::connect);
    }

    /** Writes the host's own row once; a process that cannot do that does not start. */
    private void introduce() {
        if (store.rows(HostTable.HOSTS).stream().noneMatch(this::isOwn)) {
            Object[] host = Samples.host(self.id().value(), work.hostName());
            if (!put(List.of(new OwnRow(HostTable.HOSTS, 0, host)))) {
                throw new Crash();
            }
        }
    }

    void run(Runnable action) {
        if (alive) {
            guarded(action, this::crash, () -> {});
        }
    }

    void crash() {
        if (alive) {
            alive = false;
            world.say(() -> name + " dies");
            wires.forEach(SimulatedWire::cut);
            world.in(30 + world.pick(200), this::boot);
        }
    }

    void upgrade() {
        if (schema.version() < Samples.NEW.version()) {
            schema = Samples.NEW;
            crash();
        }
    }

    /** Agents at work: a few rows in one transaction. */
    void write() {
        run(work::write);
    }

    /** Changes rows that exist, which moves them in the feed. */
    void touch() {
        run(work::touch);
    }

    /** An own write; a full disk refuses it and the agent goes on. */
    boolean put(List<OwnRow> rows) {
        try {
            faulty.before();
            store.putOwn(self.org(), self.id(), rows);
            faulty.after();
            return true;
        } catch (SkepException refused) {
            return false;
        }
    }

    private void moved() {
        if (!movedPending) {
            movedPending = true;
            world.in(
                    world.pick(3),
                    () -> {
                        movedPending = false;
                        run(() -> wires.forEach(SimulatedWire::moved));
                    });
        }
    }

    boolean isOwn(Stored stored) {
        return stored.row().hostId().equals(self.id().value());
    }

    void takeBackup() {
        backup = store.backup();
    }

    void restore() {
        if (backup == null) {
            return;
        }
        restored = true;
        world.count(Fault.RESTORE_RUNNER);
        world.say(() -> name + " is restored from its backup");
        for (SimulatedWire wire : wires) {
            for (Stored held : wire.hub().store.rows()) {
                if (isOwn(held)) {
                    owed.computeIfAbsent(key(held), _ -> new HashSet<>()).add(wire.hub());
                }
            }
        }
        store.restore(backup);
        letGo.clear();
        forgetClock();
        crash();
    }

    /** A hub lost its data: it can no longer give back what it had, unless it has it again. */
    void hubLost(HubMachine hub) {
        Set<String> has = new HashSet<>();
        hub.store.rows().stream().filter(this::isOwn).forEach(held -> has.add(key(held)));
        // What it has may be of a timeline this host has lost: it comes back, and ages again.
        letGo.keySet().removeAll(has);
        owed.forEach(
                (key, hubs) -> {
                    if (!has.contains(key)) {
                        hubs.remove(hub);
                    }
                });
    }

    static String key(Stored stored) {
        return stored.table().name() + "/" + MemoryState.key(stored.table(), stored.row());
    }

    void purge() {
        run(
                () -> {
                    List<String> hubs =
                            world.has(Rule.PURGE_WAITS)
                                    ? wires.stream().map(wire -> wire.hub().name).toList()
                                    : List.of();
                    List<Stored> went =
                            purgeOracle.run(self.org(), self.id(), schema.tables().all(), hubs);
                    for (Stored row : went) {
                        if (isOwn(row)) {
                            hubsHad(row);
                        }
                    }
                });
    }

    /** What a hub neither has, nor let go, nor lost, was never there. */
    private void hubsHad(Stored row) {
        boolean same = true;
        for (SimulatedWire wire : wires) {
            HubMachine hub = wire.hub();
            Optional<Stored> held =
                    hub.store.rows(row.table()).stream()
                            .filter(other -> key(other).equals(key(row)))
                            .findFirst();
            same &= held.isEmpty() || held.get().row().ver() == row.row().ver();
            if (held.isEmpty() && !hub.purgeOracle.letGo(key(row)) && !hub.lost(key(row))) {
                throw new Violation(
                        "%s was purged at %s and never got to %s".formatted(key(row), name, hub));
            }
        }
        if (same && !isLostSomewhere(row)) {
            letGo.put(key(row), row);
        }
    }

    /** Whether another host has it of a timeline this host has lost, among the others or aside. */
    private boolean isLostSomewhere(Stored row) {
        return wires.getFirst().hub().wires.stream()
                .map(SimulatedWire::runner)
                .anyMatch(
                        other ->
                                other.store.isQuarantined(row, Reason.LOST_TIMELINE)
                                        || other.store.rows(row.table()).stream()
                                                .anyMatch(held -> isOtherVersion(held, row)));
    }

    private static boolean isOtherVersion(Stored held, Stored row) {
        return key(held).equals(key(row)) && held.row().ver() != row.row().ver();
    }
}
