package dev.skep.app.assembly;

import dev.skep.app.config.RegistryOptions;
import dev.skep.app.config.Secret;
import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.directory.org.Orgs;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.folder.HomeFolder;
import dev.skep.registry.folder.Spawner;
import dev.skep.registry.proxy.DirectRoute;
import dev.skep.registry.proxy.NodeAddresses;
import dev.skep.registry.proxy.NodeRoute;
import dev.skep.registry.proxy.ProxySession;
import dev.skep.registry.routes.NodeRoutes;
import dev.skep.registry.routes.RegistryAccess;
import dev.skep.registry.routes.RegistryCalls;
import dev.skep.registry.routes.RegistryDoor;
import dev.skep.registry.routes.RegistryMeter;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.NodeListStore;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRows;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.route.Route;
import dev.skep.transport.session.SessionAcceptor;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.net.InetAddress;
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
final class RegistryHouse {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int MOST_AGENTS = 32;

    private final Lifecycle lifecycle;
    private final HostProcess process;
    private final RegistryOptions options;
    private final Surroundings around;
    private final Predicate<HostId> isOnline;
    private final RegistryMeter meter;
    private final NodeRoute direct;
    private final NodeRoute route;
    private final Map<OrgId, Registry> registries = new ConcurrentHashMap<>();

    private RegistryHouse(
            Surroundings around,
            HostProcess process,
            RegistryOptions options,
            Predicate<HostId> isOnline,
            Optional<NodeRoute> linked) {
        this.lifecycle = around.lifecycle();
        this.around = around;
        this.process = process;
        this.options = options;
        this.isOnline = isOnline;
        this.meter = new RegistryMeter(around.meters(), process.host().kind().stored());
        this.direct = direct();
        this.route = route(linked);
    }

    /**
     * Begins to load the registry of the default org; others are loaded when somebody asks for
     * them.
     *
     * @param isOnline whether another host of the fleet can be reached now
     * @param linked the way to nodes of other hosts, where there are links
     */
    static RegistryHouse open(
            Surroundings around,
            HostProcess process,
            Predicate<HostId> isOnline,
            Optional<NodeRoute> linked) {
        return open(around, process, around.configuration().registry().options(), isOnline, linked);
    }

    /** A registry alone, behaving as told. */
    static RegistryHouse alone(Surroundings around, HostProcess process, RegistryOptions options) {
        return open(around, process, options, host -> false, Optional.empty());
    }

    private static RegistryHouse open(
            Surroundings around,
            HostProcess process,
            RegistryOptions options,
            Predicate<HostId> isOnline,
            Optional<NodeRoute> linked) {
        RegistryHouse house = new RegistryHouse(around, process, options, isOnline, linked);
        house.of(Orgs.DEFAULT);
        return house;
    }

    /**
     * For a hub: nodes of other hosts are shown as their rows arrive, and are active only while
     * their host is linked, to this process or another of the hub.
     */
    public void follow(SessionOpener links, LiveLinks live) {
        Consumer<Principal.Host> changed =
                host -> tell(host.org(), registry -> registry.others().changed(host.id()));
        links.onChange(changed);
        live.onChangeElsewhere(changed);
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

    /**
     * Waits for what {@link #open} began. Everything that takes a while to open is opened before
     * this, so that a roster of thousands adds little to a start; one that cannot be read ends it.
     */
    void awaitLoaded() {
        registries.values().forEach(Registry::awaitLoaded);
    }

    public Registry of(OrgId org) {
        return registries.computeIfAbsent(org, this::opened);
    }

    List<Route> routes() {
        return new NodeRoutes(new NodeListStore(process.database()), org -> of(org).nodes())
                .routes();
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
                                isOnline),
                        options.lifetime());
        lifecycle.start("registry of " + org, registry);
        meter.show(registry);
        return registry;
    }

    /**
     * The sockets under {@code /ws} of a listener for nodes, to be mounted before it starts and
     * started after it, so that they say goodbye before it closes.
     */
    SocketEndpoints endpoints(ListenerConfig listener) {
        if (token().isEmpty() && !options.isLoopback()) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "a registry that listens on %s lets other machines in, which needs a token; set HYPI_TOKEN or listen on 127.0.0.1"
                            .formatted(options.address()));
        }
        RegistryTokens tokens = new RegistryTokens(process);
        return endpoints(listener, (request, offered) -> tokens.visitorOf(offered), true);
    }

    /** The same on a listener for everything, where nobody comes in without a key or a session. */
    SocketEndpoints guarded(ListenerConfig listener, DirectoryAssembly people) {
        RegistryTokens tokens = new RegistryTokens(process);
        OperatorVisitors operators = new OperatorVisitors(people);
        return endpoints(
                listener,
                (request, offered) ->
                        tokens.visitorOf(offered).or(() -> operators.visitorOf(request)),
                false);
    }

    private SocketEndpoints endpoints(
            ListenerConfig listener, RegistryAccess.OtherVisitors others, boolean open) {
        RegistryAccess access = new RegistryAccess(token(), Orgs.DEFAULT, others, open);
        return new SocketEndpoints(
                new BrowserGuard(listener),
                List.of("/ws/*"),
                new RegistryDoor(access, this::of, machine(), route, meter),
                SocketLimits.USUAL);
    }

    /** Counts the sockets of a listener that is open: before, its port may be any. */
    void count(int port, SocketEndpoints endpoints) {
        meter.show(port, endpoints::count);
    }

    private Optional<String> token() {
        return around.configuration().registry().token().map(Secret::value);
    }

    private RegistryCalls.Machine machine() {
        HomeFolder home = new HomeFolder(around.home());
        Spawner spawner =
                new Spawner(
                        home,
                        new Spawner.Settings(
                                options.allowSpawn(),
                                options.agentCommand(),
                                around.configuration().dataDir().resolve("logs"),
                                MOST_AGENTS));
        return new RegistryCalls.Machine(
                home, spawner, this::exportOf, this::importInto, around.version());
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

    private NodeRoute route(Optional<NodeRoute> linked) {
        HostId self = process.host().id();
        NodeRoute elsewhere =
                linked.orElse(
                        (found, receiver) -> new NodeRoute.Opening.Failed("Agent is offline"));
        return (found, receiver) ->
                (found.node().host().equals(self) ? direct : elsewhere).open(found, receiver);
    }
}
