package dev.skep.app.assembly;

import dev.skep.cli.config.RegistryOptions;
import dev.skep.directory.enrolment.ConnectedHosts;
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
import dev.skep.transport.http.ReadinessChecks;
import dev.skep.transport.route.Route;
import dev.skep.transport.session.SessionAcceptor;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.SocketDialer;
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

/** The registries of one process, one for each org that has any nodes here. */
final class OrgRegistries {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Lifecycle lifecycle;
    private final HostProcess process;
    private final RegistryOptions options;
    private final ProcessContext around;
    private final Predicate<HostId> isOnline;
    private final RegistryMeter meter;
    private final Database database;
    private final NodeConnector direct;
    private final NodeConnector nodeConnector;
    private final Map<OrgId, Registry> registries = new ConcurrentHashMap<>();
    private volatile Runnable unstoredChanged = () -> {};

    private OrgRegistries(
            ProcessContext around,
            HostProcess process,
            RegistryOptions options,
            Predicate<HostId> isOnline,
            Optional<NodeConnector> linked) {
        this.lifecycle = around.lifecycle();
        this.around = around;
        this.process = process;
        this.options = options;
        this.isOnline = isOnline;
        this.meter = new RegistryMeter(around.meters(), process.host().kind().stored());
        // Nodes and dashboards are served whatever becomes of the server.
        this.database = process.database().within(PATIENCE);
        this.direct = direct();
        this.nodeConnector = route(linked);
    }

    /**
     * Begins to load the registry of the default org; others are loaded when somebody asks for
     * them.
     *
     * @param isOnline whether another host of the fleet can be reached now
     * @param linked the way to nodes of other hosts, where there are links
     */
    static OrgRegistries open(
            ProcessContext around,
            HostProcess process,
            Predicate<HostId> isOnline,
            Optional<NodeConnector> linked) {
        return open(around, process, around.configuration().registry().options(), isOnline, linked);
    }

    /** A registry alone, behaving as told. */
    static OrgRegistries alone(
            ProcessContext around, HostProcess process, RegistryOptions options) {
        return open(around, process, options, host -> false, Optional.empty());
    }

    private static OrgRegistries open(
            ProcessContext around,
            HostProcess process,
            RegistryOptions options,
            Predicate<HostId> isOnline,
            Optional<NodeConnector> linked) {
        OrgRegistries orgRegistries = new OrgRegistries(around, process, options, isOnline, linked);
        orgRegistries.of(DefaultOrg.DEFAULT);
        return orgRegistries;
    }

    /**
     * For a hub: nodes of other hosts are shown as their rows arrive, and are active only while
     * their host is linked, to this process or another of the hub.
     */
    public void follow(SessionOpener links, ConnectedHosts live) {
        Consumer<Principal.Host> changed =
                host -> tell(host.org(), registry -> registry.others().changed(host.id()));
        links.onChange(changed);
        live.onChangeElsewhere(changed);
        process.feed().onAdvanced(this::moved);
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
    public SessionAcceptor sessions(HubConsent consent) {
        return new SessionAcceptor(
                nodeId ->
                        consent.has(Consent.STEER)
                                ? new ProxySession(
                                        of(process.host().org()), direct, nodeId, false, meter)
                                : new RefusedSession(consent.refusal(Consent.STEER)));
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

    /** The host whose nodes register here. */
    HostId host() {
        return process.host().id();
    }

    /** The roster of this registry, of which nodes may be removed. */
    List<Route> routes(NodeList nodes, NodeRemoval removal) {
        return new NodeRoutes(nodes, org -> of(org).nodes(), removal).routes();
    }

    /** What its registries know and could not store yet. */
    List<UnstoredNode> unstored(OrgId org) {
        Registry registry = registries.get(org);
        return registry == null ? List.of() : registry.unstored();
    }

    /** Runs the listener, which must not wait, when that has changed. */
    void onUnstored(Runnable listener) {
        unstoredChanged = listener;
    }

    /** Whether it can store what it hears. */
    ReadinessChecks checks() {
        return DatabaseReadiness.of(List.of(process));
    }

    StateExport exportOf(Registry registry) {
        return new StateExport(
                process.database(), process.rowsOf(registry.org()), SystemTime.clock());
    }

    /** Takes documents over into a registry. */
    public StateImport importInto(Registry registry) {
        return new StateImport(
                registry, process.database(), process.rowsOf(registry.org()), SystemTime.clock());
    }

    private Registry opened(OrgId org) {
        Registry registry =
                new Registry(
                        new Registry.RegistryDependencies(
                                database,
                                process.rowsOf(org),
                                process.ids(),
                                SystemTime.clock(),
                                process.retention()::now,
                                isOnline),
                        options.lifetime());
        registry.onUnstored(() -> unstoredChanged.run());
        lifecycle.start("registry of " + org, registry);
        meter.show(registry);
        return registry;
    }

    /** The ways in: each listener that leads here has its own sockets. */
    RegistrySockets sockets() {
        return new RegistrySockets(around, process, options, this, nodeConnector, meter);
    }

    private NodeConnector direct() {
        SocketDialer dialer =
                lifecycle.start("registry proxy", new SocketDialer(SocketLimits.USUAL, PATIENCE));
        return new DirectNodeConnector(
                dialer,
                new NodeAddressPolicy(
                        Set.of(process.host().name()),
                        options.machines(),
                        InetAddress::getAllByName));
    }

    private NodeConnector route(Optional<NodeConnector> linked) {
        HostId self = process.host().id();
        NodeConnector elsewhere =
                linked.orElse(
                        (registeredNode, receiver) ->
                                new NodeConnector.Opening.Failed("Agent is offline"));
        return (registeredNode, receiver) ->
                (registeredNode.node().host().equals(self) ? direct : elsewhere)
                        .open(registeredNode, receiver);
    }
}
