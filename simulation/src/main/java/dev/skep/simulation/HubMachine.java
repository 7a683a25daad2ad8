package dev.skep.simulation;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.feed.FeedPage;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.hub.TakeoverService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A hub: one database, and one or two processes on it. */
final class HubMachine extends SimulatedMachine {
    static final SyncLimits LIMITS =
            new SyncLimits(
                    new FeedPage.Limits(4, 1 << 20),
                    1,
                    Duration.ofMillis(300),
                    Duration.ofMillis(1_500),
                    Duration.ofMillis(2_500),
                    3_000);

    /** A hub owns no rows here. */
    private static final HostId NOBODY = new HostId(Samples.id(3, 0));

    final MachineStore store;
    final PurgeOracle purgeOracle;
    private final FaultyStore faulty;
    private final List<HubProcess> processes = new ArrayList<>();
    private SyncSchema schema;
    private boolean lost;

    /** The keys of what it had when it lost its data. */
    private final Set<String> lostKeys = new HashSet<>();

    private @Nullable Object backup;

    HubMachine(World world, String name, SyncSchema schema, int processes, MachineStores stores) {
        super(world, name);
        this.schema = schema;
        this.store = stores.open(world, this, schema, true, this::moved);
        this.faulty = new FaultyStore(world, store);
        this.purgeOracle = new PurgeOracle(this, store, 800 + world.pick(3_000));
        for (int i = 0; i < processes; i++) {
            this.processes.add(new HubProcess(i));
        }
    }

    /** As they are configured, or without those whose rule is taken out. */
    private SyncLimits limits() {
        return new SyncLimits(
                world.has(Rule.PAGE_LIMIT) ? LIMITS.page() : new FeedPage.Limits(1_000, 1 << 20),
                LIMITS.slots(),
                LIMITS.patience(),
                LIMITS.timeout(),
                LIMITS.idle(),
                world.has(Rule.BOUNDED_TAIL) ? LIMITS.tailBytes() : Long.MAX_VALUE);
    }

    /** One process of the hub. */
    final class HubProcess {
        private final int number;
        private @Nullable HubSync sync;
        private boolean feedPending;

        HubProcess(int number) {
            this.number = number;
        }

        Optional<HubSync> running() {
            return Optional.ofNullable(sync);
        }

        void boot() {
            if (sync == null) {
                purgeOracle.look();
                beginProcess();
                store.start(schema);
                sync = new HubSync(faulty, schema, limits(), clock());
                world.say(() -> "%s starts".formatted(this));
                tick(sync);
                wires.forEach(SimulatedWire::connect);
            }
        }

        private void tick(HubSync of) {
            world.in(
                    TICK,
                    () -> {
                        if (sync == of) {
                            if (world.has(Rule.TIMEOUT)) {
                                run(of::onTick);
                            }
                            run(of::readFeed);
                            tick(of);
                        }
                    });
        }

        void run(Runnable action) {
            guarded(action, this::crash, () -> {});
            running().ifPresent(this::keepsWithinLimits);
        }

        /** However slow its hosts are, and however often they come back. */
        private void keepsWithinLimits(HubSync of) {
            HubSync.MemoryUse memoryUse = of.memoryUse();
            // Of each org as many bytes of rows, and as many of pages made of them.
            long bytes = 2L * Scenario.ORGS * LIMITS.tailBytes();
            if (memoryUse.bytes() > bytes || memoryUse.turns() > memoryUse.links()) {
                throw new Violation("%s keeps too much in memory: %s".formatted(this, memoryUse));
            }
        }

        void crash() {
            if (sync != null) {
                sync = null;
                world.say(() -> "%s dies".formatted(this));
                wires.forEach(wire -> wire.lost(this));
                world.in(30 + world.pick(200), this::boot);
            }
        }

        void feedMoved() {
            HubSync of = sync;
            if (of != null && !feedPending) {
                feedPending = true;
                world.in(
                        1 + world.pick(4),
                        () -> {
                            feedPending = false;
                            if (sync == of) {
                                run(of::readFeed);
                            }
                        });
            }
        }

        @Override
        public String toString() {
            return processes.size() == 1 ? name : name + "#" + number;
        }
    }

    private void moved() {
        processes.forEach(HubProcess::feedMoved);
    }

    void boot() {
        processes.forEach(HubProcess::boot);
    }

    SyncSchema schema() {
        return schema;
    }

    void upgrade() {
        if (schema.version() < Samples.NEW.version()) {
            schema = Samples.NEW;
            processes.forEach(HubProcess::crash);
        }
    }

    /** A process that takes a link, if one is up. */
    @Nullable HubProcess any() {
        int first = world.pick(processes.size());
        for (int i = 0; i < processes.size(); i++) {
            HubProcess process = processes.get((first + i) % processes.size());
            if (process.sync != null) {
                return process;
            }
        }
        return null;
    }

    void crash() {
        processes.forEach(HubProcess::crash);
    }

    void crashSoon() {
        faulty.crashSoon();
    }

    void takeBackup() {
        backup = store.backup();
    }

    void restore() {
        Object last = backup;
        if (last != null) {
            world.count(Fault.RESTORE_HUB);
            world.say(() -> name + " is restored from its backup");
            lose(() -> store.restore(last));
        }
    }

    void wipe() {
        world.count(Fault.WIPE_HUB);
        world.say(() -> name + " is wiped");
        lose(store::wipe);
    }

    /** Lets old rows go, if a process runs that can. */
    void purge() {
        processes.stream()
                .filter(process -> process.sync != null)
                .findFirst()
                .ifPresent(
                        process ->
                                process.run(
                                        () ->
                                                purgeOracle.run(
                                                        new OrgId("org"),
                                                        NOBODY,
                                                        schema.tables().all(),
                                                        List.of())));
    }

    boolean wasLost() {
        return lost;
    }

    /** Whether a row was here once and is missing because of a wipe or a restore. */
    boolean lost(String key) {
        return lostKeys.contains(key);
    }

    private void lose(Runnable data) {
        lost = true;
        store.rows().forEach(row -> lostKeys.add(RunnerMachine.key(row)));
        data.run();
        forgetClock();
        wires.forEach(wire -> wire.runner().hubLost(this));
        processes.forEach(HubProcess::crash);
    }

    /** An operator gives an agent to another host, here. */
    long grant(OrgId org, HostId to, String userId) {
        long[] gen = new long[1];
        HubProcess process = processes.getFirst();
        process.run(() -> gen[0] = takeovers(process).grant(org, to, userId));
        return gen[0];
    }

    void confirm(OrgId org, HostId to, String userId, long gen) {
        HubProcess process = processes.getFirst();
        process.run(() -> takeovers(process).confirm(org, to, userId, gen));
    }

    private TakeoverService takeovers(HubProcess process) {
        HubSync sync =
                process.running().orElseGet(() -> new HubSync(store, schema, LIMITS, clock()));
        // The operator's own word is taken as given: it is repeated until it is stored.
        return new TakeoverService(store, sync, clock(), world.random);
    }
}
