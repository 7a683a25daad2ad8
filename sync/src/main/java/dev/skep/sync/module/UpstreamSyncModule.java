package dev.skep.sync.module;

import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.feed.FeedClock;
import dev.skep.sync.HubSyncStatus;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.routes.HubLinkRoutes;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;

/**
 * The links of a hub to other hubs, which it joins like any host: they pull the rows it owns, its
 * operators' mail among them, and nothing of its hosts.
 */
public final class UpstreamSyncModule implements FeatureModule {
    private final HostProcess process;
    private final SyncSchema schema;
    private final EventBus eventBus;
    private final HubLinkConfig config;
    private final boolean besideRunner;
    private final List<FeatureModule> features;
    private final UpstreamLease upstreamLease;
    private Optional<HeldLease> heldLease = Optional.empty();

    /** While it is this process's turn. */
    private record HeldLease(RunnerSyncModule links, Lifecycle lifecycle) {}

    /**
     * Opens no connection yet.
     *
     * @param besideRunner whether a runner of the same process reports its links, and not this hub
     * @param features what else uses the links
     */
    public UpstreamSyncModule(
            HostProcess process,
            SyncSchema schema,
            EventBus eventBus,
            HubLinkConfig config,
            boolean besideRunner,
            List<FeatureModule> features) {
        this.process = process;
        this.schema = schema;
        this.eventBus = eventBus;
        this.config = config;
        this.besideRunner = besideRunner;
        this.features = List.copyOf(features);
        this.upstreamLease =
                new UpstreamLease(
                        process.database(),
                        process.host().machine().place(),
                        process.ids().next(),
                        process.steady(),
                        () -> !peers().isEmpty(),
                        this::begin,
                        this::end);
    }

    /** Joins other hubs, now that it can answer. */
    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        lifecycle.start("upstream links", upstreamLease);
    }

    private synchronized void begin() {
        var lifecycle = new Lifecycle();
        var links =
                new RunnerSyncModule(process, schema, eventBus, config, Optional.empty(), features);
        links.open(lifecycle);
        links.start(lifecycle);
        lifecycle.own(
                "upstream feed", process.database().listen(FeedClock.CHANNEL, _ -> links.moved()));
        heldLease = Optional.of(new HeldLease(links, lifecycle));
    }

    private synchronized void end() {
        heldLease.ifPresent(held -> held.lifecycle().close());
        heldLease = Optional.empty();
    }

    /** Those that must have what this hub owns before it forgets it. */
    public List<String> hubs() {
        return upstreamLease.awaited(current().map(RunnerSyncModule::hubs).orElseGet(this::peers));
    }

    private List<String> peers() {
        return RunnerSyncModule.peers(config, process.host());
    }

    /** Whether another process on the database has the links now. */
    public boolean areElsewhere() {
        return upstreamLease.isAnothers();
    }

    private int open() {
        return current().map(RunnerSyncModule::open).orElse(0);
    }

    private synchronized Optional<RunnerSyncModule> current() {
        return heldLease.map(HeldLease::links);
    }

    private List<HubSyncStatus> status() {
        return current().map(RunnerSyncModule::linkStatuses).orElse(List.of());
    }

    @Override
    public List<Route> routes() {
        return besideRunner ? List.of() : new HubLinkRoutes(this::status).routes();
    }

    @Override
    public void showMeters(Metrics metrics) {
        new SyncMeter(metrics, process.clock()).showLinks("upstream", this::open);
    }
}
