package dev.skep.simulation;

import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.SkepException;
import dev.skep.sync.SyncConnection;
import dev.skep.sync.SyncStore;
import dev.skep.sync.hub.HubLink;
import dev.skep.sync.hub.HubSync;
import dev.skep.sync.runner.RunnerLink;
import dev.skep.wire.Message;
import org.jspecify.annotations.Nullable;

/** The network between a runner and a hub: connections in order, which break. */
final class SimulatedWire {
    private static final double DROP = 0.015;
    private static final double DELAY = 0.03;

    private final World world;
    private final RunnerMachine runner;
    private final HubMachine hub;
    private final Courier courier;
    private boolean partitioned;
    private boolean slow;
    private boolean reconnecting;
    private boolean refused;
    private @Nullable Connection current;

    SimulatedWire(World world, RunnerMachine runner, HubMachine hub, Courier courier) {
        this.world = world;
        this.runner = runner;
        this.hub = hub;
        this.courier = courier;
        runner.wires.add(this);
        hub.wires.add(this);
    }

    RunnerMachine runner() {
        return runner;
    }

    HubMachine hub() {
        return hub;
    }

    /** Opens a connection if both ends are there and none is open. */
    void connect() {
        HubMachine.HubProcess process = hub.any();
        if (current != null || partitioned || !runner.isAlive() || process == null) {
            return;
        }
        HubSync sync = process.running().orElseThrow();
        Connection opened = new Connection(process, sync);
        current = opened;
        world.say(() -> "%s connects to %s".formatted(runner, process));
        world.in(1, () -> opened.atRunner(opened.runnerEnd::onOpen));
    }

    /** The connection breaks. */
    void cut() {
        if (current != null) {
            current.cut();
        }
    }

    /** A process of the hub is gone, and its sockets with it. */
    void lost(HubMachine.HubProcess process) {
        if (current != null && current.process == process) {
            current.hubEnds();
        }
    }

    void partition(boolean apart) {
        partitioned = apart;
        if (apart) {
            world.count(Fault.PARTITION);
            cut();
        } else {
            connect();
        }
    }

    /** Messages vanish from now on, and neither end notices. */
    void halfOpen() {
        if (current != null) {
            world.count(Fault.HALF_OPEN);
            world.say(() -> "%s and %s no longer hear each other".formatted(runner, hub));
            current.vanishing = true;
        }
    }

    void slow(boolean isSlow) {
        slow = isSlow;
    }

    void moved() {
        if (current != null) {
            current.runnerEnd.onMoved();
        }
    }

    void flood() {
        Connection flooded = current;
        if (flooded != null) {
            world.count(Fault.NUDGE_FLOOD);
            for (int i = 0; i < 40; i++) {
                flooded.toHub(new Message.SyncAvailable());
            }
        }
    }

    private void reconnectSoon() {
        if (!reconnecting) {
            reconnecting = true;
            // Refused for its version, a runner has time to be updated.
            int pause = refused ? 1_000 : 20;
            refused = false;
            world.in(
                    pause + world.pick(80),
                    () -> {
                        reconnecting = false;
                        connect();
                        if (current == null && !partitioned) {
                            reconnectSoon();
                        }
                    });
        }
    }

    /** One socket, from its opening until both ends know it is gone. */
    private final class Connection {
        private final HubMachine.HubProcess process;
        private final HubSync sync;
        private final RunnerLink runnerEnd;
        private final LinkWatch watch = new LinkWatch(runner.name);
        private HubLink hubEnd;
        private boolean hubGone;
        private boolean vanishing;
        private long lastToHub;
        private long lastToRunner;

        Connection(HubMachine.HubProcess process, HubSync sync) {
            this.process = process;
            this.sync = sync;
            this.hubEnd = hubEnd();
            this.runnerEnd =
                    new RunnerLink(
                            runner.self,
                            hub.name,
                            HubConsent.toAll(hub.name),
                            runner.schema(),
                            HubMachine.LIMITS,
                            runner.faulty,
                            runner.clock(),
                            port(false));
            tick();
        }

        private HubLink hubEnd() {
            return sync.open(runner.self, port(true), turn -> world.in(0, () -> atHub(turn)));
        }

        private SyncConnection port(boolean ofHub) {
            return new SyncConnection() {
                @Override
                public void send(Message message) {
                    if (ofHub) {
                        toRunner(message);
                    } else {
                        toHub(message);
                    }
                }

                @Override
                public void close(String reason) {
                    world.say(() -> "%s closes: %s".formatted(ofHub ? process : runner, reason));
                    courier.onClose(reason);
                    refused |= reason.contains("schema");
                    if (ofHub) {
                        hubEnds();
                    } else {
                        cut();
                    }
                }
            };
        }

        private void tick() {
            world.in(
                    SimulatedMachine.TICK,
                    () -> {
                        if (current == this) {
                            if (world.has(Rule.TIMEOUT)) {
                                atRunner(runnerEnd::onTick);
                            }
                            tick();
                        }
                    });
        }

        void toHub(Message message) {
            if (current != this || vanishing) {
                return;
            }
            if (world.chance(DROP)) {
                dropLate(message);
            } else {
                watch.toHub(message);
                Message sent = courier.toHub(SimulatedWire.this, message);
                lastToHub = arrival(lastToHub);
                world.in(lastToHub - world.now(), () -> atHub(() -> deliver(sent)));
            }
        }

        /** The connection breaks; what was sent last may still reach the hub, long after. */
        private void dropLate(Message message) {
            world.count(Fault.DROP);
            if (world.coin()) {
                lastToHub = Math.max(lastToHub, world.now()) + 100 + world.pick(400);
                Message sent = courier.toHub(SimulatedWire.this, message);
                world.in(lastToHub - world.now(), () -> atHub(() -> deliver(sent)));
                cut(lastToHub - world.now() + 1);
            } else {
                cut();
            }
        }

        private void deliver(Message message) {
            world.say(() -> "%s -> %s  %s".formatted(runner, process, message));
            if (current != this) {
                world.count(Fault.LATE_DELIVERY);
            }
            if (message instanceof Message.CatchUp) {
                if (watch.hasPage() && !world.has(Rule.CATCH_UP_TARGET)) {
                    // To a link that is new the target is where the hub is now.
                    hubEnd.onClosed();
                    hubEnd = hubEnd();
                }
                watch.catchUp(hub.store.read(SyncStore.Reading::now));
            }
            hubEnd.onMessage(message);
        }

        void toRunner(Message message) {
            // Written before it is lost: a rule that says it must be sent again can only then
            // matter.
            Message sent = courier.toRunner(SimulatedWire.this, message);
            watch.toRunner(message);
            if (current == this && !dropped() && !vanishing) {
                watch.asks(sent);
                lastToRunner = arrival(lastToRunner) + (slow ? 400 : 0);
                world.in(lastToRunner - world.now(), () -> atRunner(() -> receive(sent)));
            }
        }

        private void receive(Message message) {
            world.say(() -> "%s -> %s  %s".formatted(process, runner, message));
            runnerEnd.onMessage(courier.arriving(SimulatedWire.this, message));
            if (message instanceof Message.SyncRequest && world.coin()) {
                world.count(Fault.READ_AHEAD);
                world.in(1, () -> atRunner(runnerEnd::readAhead));
            }
        }

        private boolean dropped() {
            if (world.chance(DROP)) {
                world.count(Fault.DROP);
                cut();
                return true;
            }
            return false;
        }

        private long arrival(long last) {
            boolean late = world.chance(DELAY);
            if (late) {
                world.count(Fault.DELAY);
            }
            return Math.max(last + 1, world.now() + 1 + world.pick(late ? 300 : 10));
        }

        void atRunner(Runnable action) {
            if (current == this) {
                runner.run(() -> ended(action));
            }
        }

        void atHub(Runnable action) {
            if (!hubGone && process.running().filter(sync::equals).isPresent()) {
                process.run(() -> ended(action));
            }
        }

        /** What fails at one end ends the connection. */
        private void ended(Runnable action) {
            try {
                action.run();
            } catch (SkepException e) {
                world.say(() -> "failed: " + e.getMessage());
                hubGone |= !hubGone && current != this;
                cut();
            }
        }

        /** The hub hears nothing more; the runner may first read what is under way to it. */
        void hubEnds() {
            hubGone = true;
            if (world.coin()) {
                cut();
            } else {
                world.in(Math.max(0, lastToRunner - world.now() + 1), this::cut);
            }
        }

        /** The runner knows at once; the hub reads what is under way, then learns it too. */
        void cut() {
            cut(world.coin() ? lastToHub - world.now() + 1 : world.pick(40));
        }

        private void cut(long noticedAfter) {
            if (current != this) {
                return;
            }
            current = null;
            world.in(
                    Math.max(0, noticedAfter),
                    () ->
                            atHub(
                                    () -> {
                                        hubEnd.onClosed();
                                        hubGone = true;
                                    }));
            reconnectSoon();
        }
    }
}
