package dev.skep.app.assembly;

import dev.skep.app.retention.Retention;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.SecretValue;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.runner.link.HubConnections;
import dev.skep.runner.link.HubConnections.Connection;
import dev.skep.runner.link.HubLinkRoutes;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.link.HealListener;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.runner.JoinKind;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.route.Route;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The links of a host to the hubs it was given, and of a runner to the one in its own process. */
public final class LinkAssembly {
    private final Configuration configuration;
    private final HostProcess process;
    private final HttpClient client;
    private final RunnerSyncProtocol sync;
    private final HubLinkListener hubLinkListener;
    private final RetentionStore retention;
    private final HubConnections connections;
    private final HubSyncStatusReader syncStatuses;
    private final Map<HubUrl, ConnectedHub> connectedHub = new ConcurrentHashMap<>();

    /** Those among them that nobody but an enrolment asks for. */
    private final Set<HubUrl> followed = new HashSet<>();

    private volatile Runnable moved = () -> {};

    /** A hub this runner keeps a link to, and what ends what else is done with it. */
    private record ConnectedHub(Connection connection, Runnable end) {}

    /** Is told of every hub there will be a link to. */
    @FunctionalInterface
    public interface HubLinkListener {
        /** A hub for which nothing but sync is done. */
        HubLinkListener NOTHING = (hub, consent, client) -> new AddedProtocols(List.of(), () -> {});

        /**
         * What is done with a hub besides sync.
         *
         * @param traffics what its links carry for that
         * @param end what ends with the hub
         */
        record AddedProtocols(List<LinkProtocol<String>> traffics, Runnable end) {}

        AddedProtocols begin(EnrolledHub hub, HubConsent consent, HttpClient client);
    }

    /** Contacts nobody yet. */
    public LinkAssembly(
            Lifecycle lifecycle,
            Configuration configuration,
            HostProcess process,
            EventBus eventBus,
            HubLinkListener hubLinkListener) {
        this.configuration = configuration;
        this.process = process;
        this.client = HttpApiClient.newClient();
        lifecycle.own("client", client::shutdownNow);
        InstantSource clock = SystemTime.clock();
        SyncSchema schema = process.schema();
        SqlSyncStore store =
                SqlSyncStore.ofRunner(process.database(), schema, process.feed(), eventBus, clock);
        this.retention = store.retention();
        this.sync =
                new RunnerSyncProtocol(
                        new Principal.Host(process.host().org(), process.host().id()),
                        joining(process.host()),
                        schema,
                        SyncLimits.DEFAULT,
                        store,
                        process.feed(),
                        clock,
                        process.steady());
        sync.onHeals(new Answers(process.host()));
        this.hubLinkListener = hubLinkListener;
        this.connections = new HubConnections(sync);
        this.syncStatuses =
                new HubSyncStatusReader(
                        new Principal.Host(process.host().org(), process.host().id()),
                        this::status,
                        sync,
                        new SyncReports(process.database(), schema),
                        clock);
        told(configuration, process.host()).forEach(this::connectTold);
        follow();
        process.host().keys().onHubs(this::follow);
    }

    private static JoinKind joining(LocalHost host) {
        return host.kind() == HostKind.HUB ? JoinKind.AS_HUB : JoinKind.AS_RUNNER;
    }

    /**
     * The hubs of the configuration. A hub beside a runner that was enrolled by a code has none:
     * the code was for the runner.
     */
    private static List<HubUrl> told(Configuration configuration, LocalHost host) {
        return configuration.links().hubs().stream()
                .map(told -> url(configuration, told.toString()))
                .filter(
                        url ->
                                host.kind() == HostKind.RUNNER
                                        || configuration.links().accessKey().isPresent()
                                        || host.keys().hub(url.base()).isPresent())
                .toList();
    }

    /** By what a hub's database knows the hubs it joins, or will join. */
    static List<String> peers(Configuration configuration, LocalHost host) {
        Set<HubUrl> all = new HashSet<>(told(configuration, host));
        host.keys().hubs().forEach(hub -> all.add(url(configuration, hub.url())));
        return all.stream().map(url -> peer(host, url)).toList();
    }

    /** One that was never reached has no id, and has pulled nothing. */
    private static String peer(LocalHost host, HubUrl url) {
        return host.keys()
                .hub(url.base())
                .map(joined -> joining(host).peer(joined.hubId()))
                .orElse("");
    }

    /** A hub lets others do nothing to it unless it says so; it has neither agents nor jobs. */
    private Consents usual() {
        return process.host().kind() == HostKind.HUB ? Consents.NONE : Consents.USUAL;
    }

    private Consents allows(HubUrl url) {
        Consents said = process.host().keys().allows(url.base());
        if (process.host().kind() == HostKind.RUNNER) {
            return said;
        }
        return said.has(Consent.STEER) ? Consents.USUAL : Consents.NONE;
    }

    /** Where the configuration says what its hubs may do, it says so at every start. */
    private void connectTold(HubUrl url) {
        configuration
                .links()
                .allow()
                .ifPresent(consents -> process.host().keys().allow(url.base(), consents));
        connect(url, Optional.empty());
    }

    /** Links to each hub this host is enrolled with, as long as it is. */
    private synchronized void follow() {
        String own = ownHub(configuration.dataDir());
        Set<HubUrl> enrolled =
                process.host().keys().hubs().stream()
                        .filter(hub -> !hub.hubId().equals(own))
                        .map(hub -> url(hub.url()))
                        .collect(Collectors.toSet());
        for (HubUrl hub : enrolled) {
            if (connect(hub, Optional.empty())) {
                followed.add(hub);
            }
        }
        followed.stream().filter(hub -> !enrolled.contains(hub)).forEach(this::disconnect);
        followed.retainAll(enrolled);
    }

    /** The hub that shares the data dir: whoever starts both together joins them. */
    private static String ownHub(Path dataDir) {
        return HostKeyFile.in(dataDir, HostKind.HUB)
                .read()
                .map(content -> content.host().value())
                .orElse("");
    }

    /** Adds the hub of the same process, which lets this runner in by itself. */
    public synchronized void connectOwn(String url, Supplier<String> pairing) {
        connect(url(url), Optional.of(pairing));
    }

    private HubUrl url(String text) {
        return url(configuration, text);
    }

    private static HubUrl url(Configuration configuration, String text) {
        return HubUrl.of(text, configuration.listener().plainOffLoopback());
    }

    /** False if there is a link to it already, or will be. */
    private boolean connect(HubUrl url, Optional<Supplier<String>> pairing) {
        if (connectedHub.containsKey(url)) {
            return false;
        }
        connectedHub.put(url, joined(url, pairing));
        return true;
    }

    private ConnectedHub joined(HubUrl url, Optional<Supplier<String>> pairing) {
        HubSession session =
                new HubSession(
                        process.host(),
                        url,
                        configuration.links().accessKey().map(SecretValue::value),
                        pairing.isPresent()
                                ? Consents.OF_OWN_HUB
                                : configuration.links().allow().orElseGet(this::usual),
                        client,
                        SystemTime.clock());
        EnrolledHub hub = new EnrolledHub(session, pairing, sync::isLinked);
        HubConsent consent = new HubConsent(url.base(), () -> allows(url));
        HubLinkListener.AddedProtocols addedProtocols = hubLinkListener.begin(hub, consent, client);
        List<LinkProtocol<String>> carried = new ArrayList<>(addedProtocols.traffics());
        carried.add(sync.with(consent));
        LinkDialer dialer =
                new LinkDialer(
                        client,
                        hub,
                        new LinkProtocols<>(carried),
                        SystemTime.clock(),
                        new SecureRandom());
        dialer.onStatus(() -> moved.run());
        Connection connection = new Connection(hub, dialer);
        connections.add(connection);
        moved.run();
        return new ConnectedHub(connection, addedProtocols.end());
    }

    /** Where nothing waits for what hubs give back. */
    private record Answers(LocalHost host) implements HealListener {
        @Override
        public void agreed(String hub) {
            host.awaited().answered(hub);
        }
    }

    /** Tells this listener, and nobody else, what hubs have to give back. */
    void onHeals(HealListener listener) {
        sync.onHeals(listener);
    }

    /** Runs the listener when a link has changed, or there is one more or less. */
    void onMoved(Runnable listener) {
        moved = listener;
        sync.onStatusChange(listener);
    }

    private void disconnect(HubUrl url) {
        ConnectedHub left = connectedHub.remove(url);
        if (left != null) {
            left.end().run();
            connections.remove(left.connection());
            moved.run();
        }
    }

    /** Forgets what is too old and what every hub has. */
    Retention retention(NodeTimeouts nodes) {
        return RetentionAssembly.of(
                process,
                configuration.retention(),
                retention,
                this::hubs,
                nodes,
                Optional.empty(),
                Optional.empty(),
                new SizeLimitPurges(),
                SystemTime.clock());
    }

    /** By what the database knows the hubs there are links to, or will be. */
    List<String> hubs() {
        return connectedHub.entrySet().stream()
                .filter(each -> !each.getValue().connection().hub().isThisHost())
                .map(each -> peer(process.host(), each.getKey()))
                .toList();
    }

    /** How many hubs are linked now. */
    int open() {
        return connections.linked();
    }

    /** How the links stand; also before they are started. */
    List<HubConnections.Status> status() {
        return connections.status();
    }

    /** The same for the pages of this machine, with what the hubs do not have yet. */
    public LinkSource shown() {
        return new RunnerLinkSource(
                syncStatuses, new SyncReports(process.database(), process.schema()));
    }

    /** How this host stands with each of its hubs. */
    List<PeerSyncStatus> syncStatuses() {
        return syncStatuses.all();
    }

    public List<Route> routes() {
        return new HubLinkRoutes(syncStatuses::statuses).routes();
    }

    /** What another process on the database wrote is for the links of this one. */
    void moved() {
        sync.moved();
    }

    public HubConnections start(Lifecycle lifecycle) {
        return lifecycle.start("hub links", connections);
    }
}
