package dev.skep.app.assembly;

import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.link.HubConnections;
import dev.skep.runner.link.HubLinkRoutes;
import dev.skep.store.feed.FeedClock;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Optional;

/**
 * The links of a hub to other hubs, which it joins like any host: they pull the rows it owns, its
 * operators' mail among them, and nothing of its hosts.
 */
final class UpstreamLinks implements Component {
    private final ProcessContext around;
    private final HostProcess process;
    private final EventBus eventBus;
    private final OrgRegistries registry;
    private final UpstreamLease upstreamLease;
    private Optional<HeldLease> heldLease = Optional.empty();

    /** While it is this process's turn. */
    private record HeldLease(LinkAssembly links, Lifecycle lifecycle) {}

    UpstreamLinks(
            ProcessContext around, HostProcess process, EventBus eventBus, OrgRegistries registry) {
        this.around = around;
        this.process = process;
        this.eventBus = eventBus;
        this.registry = registry;
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

    @Override
    public void start() {
        upstreamLease.start();
    }

    private synchronized void begin() {
        var lifecycle = new Lifecycle();
        var links =
                new LinkAssembly(
                        lifecycle,
                        around.configuration(),
                        process,
                        eventBus,
                        (hub, consent, client) ->
                                new LinkAssembly.HubLinkListener.AddedProtocols(
                                        List.of(registry.sessions(consent)), () -> {}));
        links.start(lifecycle);
        lifecycle.own(
                "upstream feed",
                process.database().listen(FeedClock.CHANNEL, told -> links.moved()));
        heldLease = Optional.of(new HeldLease(links, lifecycle));
    }

    private synchronized void end() {
        heldLease.ifPresent(held -> held.lifecycle().close());
        heldLease = Optional.empty();
    }

    /** Those that must have what this hub owns before it forgets it. */
    List<String> hubs() {
        return upstreamLease.awaited(current().map(LinkAssembly::hubs).orElseGet(this::peers));
    }

    private List<String> peers() {
        return LinkAssembly.peers(around.configuration(), process.host());
    }

    /** Whether another process on the database has the links now. */
    boolean areElsewhere() {
        return upstreamLease.isAnothers();
    }

    int open() {
        return current().map(LinkAssembly::open).orElse(0);
    }

    private synchronized Optional<LinkAssembly> current() {
        return heldLease.map(HeldLease::links);
    }

    private List<HubConnections.Status> status() {
        return current().map(LinkAssembly::status).orElse(List.of());
    }

    List<Route> routes() {
        return new HubLinkRoutes(this::status).routes();
    }

    @Override
    public void close() {
        upstreamLease.close();
    }
}
