package dev.skep.app.assembly;

import dev.skep.app.config.RegistryOptions;
import dev.skep.app.config.Secret;
import dev.skep.directory.org.Orgs;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.folder.HomeFolder;
import dev.skep.registry.folder.Spawner;
import dev.skep.registry.proxy.DirectRoute;
import dev.skep.registry.proxy.NodeAddresses;
import dev.skep.registry.proxy.NodeRoute;
import dev.skep.registry.proxy.ProxySession;
import dev.skep.registry.routes.RegistryAccess;
import dev.skep.registry.routes.RegistryCalls;
import dev.skep.registry.routes.RegistryDoor;
import dev.skep.registry.routes.RegistryMeter;
import dev.skep.registry.service.Registry;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRows;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.session.SessionAcceptor;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The registries of one process, one for each org that has any nodes here, and the sockets that
 * lead to them: mounted on a listener of their own, or on any other.
 */
public final class RegistryHouse {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_AGENTS = 32;

    private final Lifecycle lifecycle;
    private final HostProcess process;
    private final RegistryOptions options;
    private final Surroundings surroundings;
    private final RegistryMeter meter;
    private final NodeRoute direct;
    private final RegistryDoor door;
    private final Map<OrgId, Registry> registries = new ConcurrentHashMap<>();

    /**
     * What the rest of the process tells the registry.
     *
     * @param home the folder clients may browse
     * @param spawnLogs where the output of started agents goes
     * @param others who else may come in besides the holders of the token
     * @param isOnline whether another host of the fleet can be reached now
     * @param linked the way to nodes of other hosts, once there are links
     */
    public record Surroundings(
            Path home,
            Path spawnLogs,
            Optional<Secret> token,
            RegistryAccess.OtherTokens others,
            Predicate<HostId> isOnline,
            Optional<NodeRoute> linked,
            MeterRegistry meters,
            String version) {}

    private RegistryHouse(
            Lifecycle lifecycle,
            HostProcess process,
            RegistryOptions options,
            Surroundings surroundings) {
        this.lifecycle = lifecycle;
        this.process = process;
        this.options = options;
        this.surroundings = surroundings;
        this.meter = new RegistryMeter(surroundings.meters());
        this.direct = direct();
        this.door = door();
    }

    /** Loads the registry of the default org; others are loaded when somebody asks for them. */
    public static RegistryHouse open(
            Lifecycle lifecycle,
            HostProcess process,
            RegistryOptions options,
            Surroundings surroundings) {
        RegistryHouse house = new RegistryHouse(lifecycle, process, options, surroundings);
        house.of(Orgs.DEFAULT);
        return house;
    }

    /** Other hosts' nodes are shown as soon as their rows arrive. */
    public void listenTo(Events events) {
        lifecycle.own("registry events", events.subscribe(this::hear));
    }

    private void hear(FleetEvent event) {
        if (event instanceof FleetEvent.RowsStored(var org, _, var owner, var tables)
                && tables.contains("nodes")
                && !owner.equals(process.host().id())) {
            tell(org, registry -> registry.others().changed(owner));
        }
    }

    /**
     * For a hub: nodes of other hosts are shown as their rows arrive, and are active only while
     * their host is linked.
     */
    public void follow(SessionOpener links) {
        links.onChange(host -> tell(host.org(), registry -> registry.others().changed(host.id())));
        process.feed().onMoved(this::moved);
        lifecycle.own(
                "registry feed", process.database().listen(FeedClock.CHANNEL, told -> moved()));
    }

    private void moved() {
        registries.values().forEach(registry -> registry.others().moved());
    }

    /** Only those that are open: one that is opened later finds out by itself. */
    private void tell(OrgId org, Consumer<Registry> news) {
        registries.computeIfPresent(
                org,
                (key, registry) -> {
                    news.accept(registry);
                    return registry;
                });
    }

    /**
     * For a runner: lets hubs reach this host's nodes through its links. The dashboard stands at
     * the hub, which has asked for its token; here it gets through to nodes of this host only.
     */
    public SessionAcceptor sessions() {
        return new SessionAcceptor(
                nodeId -> new ProxySession(of(process.host().org()), direct, nodeId, meter));
    }

    public Registry of(OrgId org) {
        return registries.computeIfAbsent(org, this::opened);
    }

    private StateExport exportOf(Registry registry) {
        return new StateExport(process.database(), rowsOf(registry.org()), SystemTime.clock());
    }

    /** Takes documents over into a registry. */
    public StateImport importInto(Registry registry) {
        return new StateImport(
                registry, process.database(), rowsOf(registry.org()), SystemTime.clock());
    }

    private OwnRows rowsOf(OrgId org) {
        return org.equals(process.host().org())
                ? process.host().rows()
                : new OwnRows(process.schema().tables(), process.feed(), org, process.host().id());
    }

    private Registry opened(OrgId org) {
        Registry registry =
                new Registry(
                        new Registry.Foundation(
                                process.database(),
                                rowsOf(org),
                                process.ids(),
                                SystemTime.clock(),
                                surroundings.isOnline()),
                        options.lifetime());
        lifecycle.start("registry of " + org, registry);
        meter.show(registry);
        return registry;
    }

    /**
     * The sockets under {@code /ws}, to be mounted on a listener before it starts and started after
     * it, so that they say goodbye before it closes.
     */
    public SocketEndpoints endpoints(ListenerConfig listener) {
        if (surroundings.token().isEmpty() && !options.isLoopback()) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "a registry that listens on %s lets other machines in, which needs a token; set HYPI_TOKEN or listen on 127.0.0.1"
                            .formatted(options.address()));
        }
        SocketEndpoints endpoints =
                new SocketEndpoints(
                        new BrowserGuard(listener), List.of("/ws/*"), door, SocketLimits.USUAL);
        meter.show(endpoints::count);
        return endpoints;
    }

    private RegistryDoor door() {
        HomeFolder home = new HomeFolder(surroundings.home());
        Spawner spawner =
                new Spawner(
                        home,
                        new Spawner.Settings(
                                options.allowSpawn(),
                                options.agentCommand(),
                                surroundings.spawnLogs(),
                                MOST_AGENTS));
        return new RegistryDoor(
                new RegistryAccess(
                        surroundings.token().map(Secret::value),
                        Orgs.DEFAULT,
                        surroundings.others()),
                this::of,
                new RegistryCalls.Machine(
                        home, spawner, this::exportOf, this::importInto, surroundings.version()),
                route(),
                meter);
    }

    private NodeRoute direct() {
        SocketDialer dialer =
                lifecycle.start("registry proxy", new SocketDialer(SocketLimits.USUAL, PATIENCE));
        return new DirectRoute(
                dialer,
                new NodeAddresses(
                        Set.of(process.host().name()),
                        options.machines(),
                        InetAddress::getAllByName));
    }

    private NodeRoute route() {
        HostId self = process.host().id();
        NodeRoute elsewhere =
                surroundings
                        .linked()
                        .orElse(
                                (found, receiver) ->
                                        new NodeRoute.Opening.Failed("Agent is offline"));
        return (found, receiver) ->
                (found.node().host().equals(self) ? direct : elsewhere).open(found, receiver);
    }
}
