package dev.skep.registry.module;

import dev.skep.directory.assembly.Directory;
import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.HubLinkPart;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.proxy.DirectNodeConnector;
import dev.skep.registry.proxy.LinkNodeConnector;
import dev.skep.registry.proxy.NodeAddressPolicy;
import dev.skep.registry.proxy.NodeConnector;
import dev.skep.registry.proxy.ProxySession;
import dev.skep.registry.proxy.RefusedSession;
import dev.skep.registry.routes.NodeRemoval;
import dev.skep.registry.routes.NodeRoutes;
import dev.skep.registry.routes.RegistryMeter;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.service.Registry;
import dev.skep.registry.service.UnstoredNode;
import dev.skep.store.Database;
import dev.skep.store.feed.FeedClock;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.Router;
import dev.skep.transport.session.SessionAcceptor;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The registries of one process, one for each org that has any nodes here. */
public final class RegistryModule implements FeatureModule {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final HostProcess process;
    private final Config config;
    private final Optional<Fleet> fleet;
    private final RegistryMeter meter;
    private final Database database;
    private final SocketDialer dialer = new SocketDialer(SocketLimits.USUAL, PATIENCE);
    private final NodeConnector direct;
    private final RegistrySockets sockets;
    private final Map<OrgId, Registry> registries = new ConcurrentHashMap<>();
    private volatile Runnable unstoredChanged = () -> {};
    private Optional<Front> front = Optional.empty();
    private Optional<SocketEndpoints> mounted = Optional.empty();
    private @Nullable Lifecycle lifecycle;

    /**
     * The configuration of a registry.
     *
     * @param token what nodes present when they register; without one only this machine may connect
     * @param home the folder of the person who started the process, where agents are started
     */
    public record Config(
            RegistryOptions options,
            Optional<String> token,
            Path home,
            Path dataDir,
            String version) {
        @Override
        public String toString() {
            return "registry " + options;
        }
    }

    /** The other hosts of a hub: their links, and which of them are linked to any process of it. */
    private record Fleet(SessionOpener links, ConnectedHosts connected) {}

    /** What people and nodes are shown on the listener of the process. */
    private record Front(Directory directory, NodeList nodes, NodeRemoval removal) {}

    private RegistryModule(
            HostProcess process, Config config, Metrics metrics, Optional<Fleet> fleet) {
        this.process = process;
        this.config = config;
        this.fleet = fleet;
        this.meter = new RegistryMeter(metrics, process.host().kind().stored());
        // Nodes and dashboards are served whatever becomes of the server.
        this.database = process.database().within(PATIENCE);
        this.direct =
                new DirectNodeConnector(
                        dialer,
                        new NodeAddressPolicy(
                                Set.of(process.host().name()),
                                config.options().machines(),
                                InetAddress::getAllByName));
        NodeConnector elsewhere =
                fleet.<NodeConnector>map(
                                hosts ->
                                        new LinkNodeConnector(
                                                hosts.links(),
                                                hosts.connected()::urlOfOtherProcess))
                        .orElse((_, _) -> new NodeConnector.Opening.Failed("Agent is offline"));
        HostId self = process.host().id();
        NodeConnector anywhere =
                (node, receiver) ->
                        (node.node().host().equals(self) ? direct : elsewhere).open(node, receiver);
        this.sockets = new RegistrySockets(process, config, this, anywhere, meter);
    }

    /** Of a runner, or alone: the nodes of this host. */
    public static RegistryModule ofHost(HostProcess process, Config config, Metrics metrics) {
        return new RegistryModule(process, config, metrics, Optional.empty());
    }

    /**
     * Of a hub: nodes of other hosts are shown as their rows arrive, and are active only while
     * their host is linked, to this process or another of the hub.
     */
    public static RegistryModule ofHub(
            HostProcess process, Config config, Metrics metrics, ConnectedHosts connected) {
        return new RegistryModule(
                process, config, metrics, Optional.of(new Fleet(new SessionOpener(), connected)));
    }

    /** Begins to load the registry of the default org; others are loaded when first used. */
    @Override
    public void open(Lifecycle lifecycle) {
        this.lifecycle = lifecycle;
        lifecycle.start("registry proxy", dialer);
        of(DefaultOrg.DEFAULT);
        fleet.ifPresent(hosts -> follow(lifecycle, hosts));
    }

    private void follow(Lifecycle lifecycle, Fleet hosts) {
        Consumer<Principal.Host> changed =
                host -> ifOpen(host.org(), registry -> registry.others().changed(host.id()));
        hosts.links().onChange(changed);
        hosts.connected().onChangeElsewhere(changed);
        process.feed().onAdvanced(this::moved);
        lifecycle.own("registry feed", process.database().listen(FeedClock.CHANNEL, _ -> moved()));
    }

    /** The way to nodes of other hosts. */
    @Override
    public List<LinkProtocol<Principal.Host>> linkProtocols() {
        return fleet.<List<LinkProtocol<Principal.Host>>>map(hosts -> List.of(hosts.links()))
                .orElse(List.of());
    }

    private void moved() {
        registries.values().forEach(registry -> registry.others().moved());
    }

    /** Only those that are open: one that is opened later finds out by itself. */
    private void ifOpen(OrgId org, Consumer<Registry> news) {
        registries.computeIfPresent(
                org,
                (key, registry) -> {
                    news.accept(registry);
                    return registry;
                });
    }

    /**
     * Lets a hub reach this host's nodes through its links. The dashboard is connected to the hub,
     * which has checked its token; here it reaches nodes of this host only.
     */
    @Override
    public HubLinkPart join(EnrolledHub hub, HubConsent consent, HttpClient client) {
        var sessions =
                new SessionAcceptor(
                        nodeId ->
                                consent.has(Consent.STEER)
                                        ? new ProxySession(
                                                of(process.host().org()),
                                                direct,
                                                nodeId,
                                                false,
                                                meter)
                                        : new RefusedSession(consent.refusal(Consent.STEER)));
        return new HubLinkPart(List.of(sessions), () -> {});
    }

    /**
     * Waits for what {@link #open} began. Everything that takes a while to open is opened before
     * this, so that a roster of thousands adds little to a start; one that cannot be read ends it.
     */
    public void awaitLoaded() {
        registries.values().forEach(Registry::awaitLoaded);
    }

    public Registry of(OrgId org) {
        return registries.computeIfAbsent(org, this::load);
    }

    /** The host whose nodes register here. */
    public HostId host() {
        return process.host().id();
    }

    /**
     * Has people and nodes served on the listener of the process, too. Of two registries in a
     * process one is, and the other has its own port only.
     */
    public void serve(Directory directory, NodeList nodes, NodeRemoval removal) {
        front = Optional.of(new Front(directory, nodes, removal));
    }

    /** The roster of this registry, of which nodes may be removed. */
    @Override
    public List<Route> routes() {
        return front.map(
                        shown ->
                                new NodeRoutes(
                                                shown.nodes(),
                                                org -> of(org).nodes(),
                                                shown.removal())
                                        .routes())
                .orElse(List.of());
    }

    @Override
    public List<SocketEndpoints> sockets(ListenerConfig listener, Router router) {
        mounted = front.map(shown -> sockets.guarded(listener, shown.directory()));
        return mounted.stream().toList();
    }

    @Override
    public void start(Lifecycle unused, ProcessAddress address) {
        mounted.ifPresent(endpoints -> sockets.count(address.port(), endpoints));
    }

    /** The ways in on a listener of its own. */
    public RegistrySockets sockets() {
        return sockets;
    }

    public RegistryOptions options() {
        return config.options();
    }

    /** What its registries know and could not store yet. */
    public List<UnstoredNode> unstored(OrgId org) {
        Registry registry = registries.get(org);
        return registry == null ? List.of() : registry.unstored();
    }

    /** Runs the listener, which must not wait, when that has changed. */
    public void onUnstored(Runnable listener) {
        unstoredChanged = listener;
    }

    StateExport exportOf(Registry registry) {
        return new StateExport(process.database(), process.rowsOf(registry.org()), process.clock());
    }

    /** Takes documents over into a registry. */
    StateImport importInto(Registry registry) {
        return new StateImport(
                registry, process.database(), process.rowsOf(registry.org()), process.clock());
    }

    private Lifecycle opened() {
        return Objects.requireNonNull(lifecycle, "the registry is not open yet");
    }

    private Registry load(OrgId org) {
        Registry registry =
                new Registry(
                        new Registry.RegistryDependencies(
                                database,
                                process.rowsOf(org),
                                process.ids(),
                                process.clock(),
                                process.retention()::now,
                                host ->
                                        fleet.filter(all -> all.connected().isLive(host))
                                                .isPresent()),
                        config.options().lifetime());
        registry.onUnstored(() -> unstoredChanged.run());
        opened().start("registry of " + org, registry);
        meter.show(registry);
        return registry;
    }
}
