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
    private final Surroundings around;
    private final HostProcess process;
    private final EventBus eventBus;
    private final RegistryHouse registry;
    private final UpstreamTurn turn;
    private Optional<Tenure> tenure = Optional.empty();

    /** While it is this process's turn. */
    private record Tenure(LinkAssembly links, Lifecycle lifecycle) {}

    UpstreamLinks(
            Surroundings around, HostProcess process, EventBus eventBus, RegistryHouse registry) {
        this.around = around;
        this.process = process;
        this.eventBus = eventBus;
        this.registry = registry;
        this.turn =
                new UpstreamTurn(
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
        turn.start();
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
                                new LinkAssembly.EachHub.Besides(
                                        List.of(registry.sessions(consent)), () -> {}));
        links.start(lifecycle);
        lifecycle.own(
                "upstream feed",
                process.database().listen(FeedClock.CHANNEL, told -> links.moved()));
        tenure = Optional.of(new Tenure(links, lifecycle));
    }

    private synchronized void end() {
        tenure.ifPresent(held -> held.lifecycle().close());
        tenure = Optional.empty();
    }

    /** Those that must have what this hub owns before it forgets it. */
    List<String> hubs() {
        return turn.awaited(current().map(LinkAssembly::hubs).orElseGet(this::peers));
    }

    private List<String> peers() {
        return LinkAssembly.peers(around.configuration(), process.host());
    }

    /** Whether another process on the database has the links now. */
    boolean areElsewhere() {
        return turn.isAnothers();
    }

    int open() {
        return current().map(LinkAssembly::open).orElse(0);
    }

    private synchronized Optional<LinkAssembly> current() {
        return tenure.map(Tenure::links);
    }

    private List<HubConnections.Status> status() {
        return current().map(LinkAssembly::status).orElse(List.of());
    }

    List<Route> routes() {
        return new HubLinkRoutes(this::status).routes();
    }

    @Override
    public void close() {
        turn.close();
    }
}
