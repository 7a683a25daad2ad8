package dev.skep.sync.module;

import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.HubLinkPart;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.HubSyncStatus;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.link.HealListener;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.sync.module.HubConnections.Connection;
import dev.skep.sync.routes.HubLinkRoutes;
import dev.skep.sync.routes.SyncRoutes;
import dev.skep.sync.runner.JoinKind;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.route.Route;
import dev.skep.transport.socket.SocketDialer;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A host's end of sync: its links to the hubs it was given, and of a runner to the one in its own
 * process.
 */
public final class RunnerSyncModule implements FeatureModule {
    private final HostProcess process;
    private final HubLinkConfig config;
    private final Optional<Supplier<String>> ownHub;
    private final List<FeatureModule> features;
    private final SocketDialer sockets;
    private final RunnerSyncProtocol sync;
    private final SyncReports reports;
    private final RetentionStore retention;
    private final HubConnections connections;
    private final HubSyncStatusReader syncStatuses;
    private final Map<HubUrl, ConnectedHub> connectedHub = new ConcurrentHashMap<>();

    /** Those among them that come from an enrolment only. */
    private final Set<HubUrl> followed = new HashSet<>();

    private volatile Runnable moved = () -> {};
    private @Nullable HttpClient client;

    /** A hub this runner keeps a link to, and what ends what else is done with it. */
    private record ConnectedHub(Connection connection, Runnable end) {}

    /**
     * Opens no connection yet.
     *
     * @param ownHub where there is a hub in the same process, creates an enrolment code for this
     *     runner
     * @param features what else uses the links
     */
    public RunnerSyncModule(
            HostProcess process,
            SyncSchema schema,
            EventBus eventBus,
            HubLinkConfig config,
            Optional<Supplier<String>> ownHub,
            List<FeatureModule> features) {
        this.process = process;
        this.config = config;
        this.ownHub = ownHub;
        this.features = List.copyOf(features);
        this.sockets = LinkDialer.sockets();
        SqlSyncStore store =
                SqlSyncStore.ofRunner(
                        process.database(), schema, process.feed(), eventBus, process.clock());
        this.retention = store.retention();
        this.sync =
                new RunnerSyncProtocol(
                        process.self(),
                        joining(process.host()),
                        schema,
                        SyncLimits.DEFAULT,
                        store,
                        process.feed(),
                        process.clock(),
                        process.steady());
        sync.onHeals(new Answers(process.host()));
        this.connections = new HubConnections(sync);
        this.reports = new SyncReports(process.database(), schema);
        this.syncStatuses =
                new HubSyncStatusReader(
                        process.self(), connections::status, sync, reports, process.clock());
    }

    /** Prepares the links, one for each hub in the configuration or in the enrolments. */
    @Override
    public void open(Lifecycle lifecycle) {
        lifecycle.own("client", this::closeClient);
        lifecycle.start("link sockets", sockets);
        config.configured(process.host()).forEach(this::connectConfigured);
        follow();
        lifecycle.own("enrolments", process.host().keys().onHubs(this::follow));
    }

    /**
     * Made for the first hub: it reads all certificates that this machine trusts, and a hub that
     * joins no other hub starts without it.
     */
    private synchronized HttpClient client() {
        if (client == null) {
            client = HttpApiClient.newClient();
        }
        return client;
    }

    private synchronized void closeClient() {
        if (client != null) {
            client.shutdownNow();
        }
    }

    private static JoinKind joining(LocalHost host) {
        return host.kind() == HostKind.HUB ? JoinKind.AS_HUB : JoinKind.AS_RUNNER;
    }

    /** By what a hub's database knows the hubs it joins, or will join. */
    static List<String> peers(HubLinkConfig config, LocalHost host) {
        Set<HubUrl> all = new HashSet<>(config.configured(host));
        host.keys().hubs().forEach(hub -> all.add(config.url(hub.url())));
        return all.stream().map(url -> peer(host, url)).toList();
    }

    /** A hub that was never reached has no id, and has pulled nothing. */
    private static String peer(LocalHost host, HubUrl url) {
        return host.keys()
                .hub(url.base())
                .map(joined -> joining(host).peer(joined.hubId()))
                .orElse("");
    }

    /** By default a hub may do nothing on another hub, which has neither agents nor jobs. */
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

    /** If the configuration sets what its hubs may do, that is applied at every start. */
    private void connectConfigured(HubUrl url) {
        config.allow().ifPresent(consents -> process.host().keys().allow(url.base(), consents));
        connect(url, Optional.empty());
    }

    /** Links to each hub this host is enrolled with, as long as it is. */
    private synchronized void follow() {
        String own = ownHub(config.dataDir());
        Set<HubUrl> enrolled =
                process.host().keys().hubs().stream()
                        .filter(hub -> !hub.hubId().equals(own))
                        .map(hub -> config.url(hub.url()))
                        .collect(Collectors.toSet());
        for (HubUrl hub : enrolled) {
            if (connect(hub, Optional.empty())) {
                followed.add(hub);
            }
        }
        followed.stream().filter(hub -> !enrolled.contains(hub)).forEach(this::disconnect);
        followed.retainAll(enrolled);
    }

    /** The hub that shares the data dir: starting both together joins them. */
    private static String ownHub(Path dataDir) {
        return HostKeyFile.in(dataDir, HostKind.HUB)
                .read()
                .map(content -> content.host().value())
                .orElse("");
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
                        config.accessKey(),
                        pairing.isPresent()
                                ? Consents.OF_OWN_HUB
                                : config.allow().orElseGet(this::usual),
                        client(),
                        process.clock());
        EnrolledHub hub = new EnrolledHub(session, pairing, sync::isLinked);
        HubConsent consent = new HubConsent(url.base(), () -> allows(url));
        List<HubLinkPart> parts =
                features.stream().map(feature -> feature.join(hub, consent, client())).toList();
        List<LinkProtocol<String>> carried = new ArrayList<>();
        parts.forEach(part -> carried.addAll(part.protocols()));
        carried.add(sync.with(consent));
        LinkDialer dialer =
                new LinkDialer(
                        sockets,
                        hub,
                        new LinkProtocols<>(carried),
                        process.clock(),
                        new SecureRandom());
        dialer.onStatus(() -> moved.run());
        Connection connection = new Connection(hub, dialer);
        connections.add(connection);
        moved.run();
        return new ConnectedHub(connection, () -> parts.forEach(part -> part.end().run()));
    }

    /** Where nothing waits for what hubs give back. */
    private record Answers(LocalHost host) implements HealListener {
        @Override
        public void agreed(String hub) {
            host.awaited().answered(hub);
        }
    }

    /** Sets the one listener that is called with what hubs have to give back. */
    public void onHeals(HealListener listener) {
        sync.onHeals(listener);
    }

    /** Runs the listener when a link has changed, or there is one more or less. */
    public void onMoved(Runnable listener) {
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

    /** How far back its tables go. */
    public RetentionStore retention() {
        return retention;
    }

    /** By what the database knows the hubs there are links to, or will be. */
    public List<String> hubs() {
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
    public List<HubConnections.Status> status() {
        return connections.status();
    }

    /** Its links as the command line shows them. */
    List<HubSyncStatus> linkStatuses() {
        return syncStatuses.statuses();
    }

    /** How this host stands with each of its hubs. */
    public List<PeerSyncStatus> syncStatuses() {
        return syncStatuses.all();
    }

    /** The state of its hub links; a hub in the same process reports its hosts instead. */
    @Override
    public List<Route> routes() {
        List<Route> routes = new ArrayList<>(new HubLinkRoutes(syncStatuses::statuses).routes());
        if (ownHub.isEmpty()) {
            routes.addAll(new SyncRoutes(reports, _ -> syncStatuses.all()).routes());
        }
        return routes;
    }

    @Override
    public void showMeters(Metrics metrics) {
        var meter = new SyncMeter(metrics, process.clock());
        meter.showLinks("runner", this::open);
        meter.show("runner", syncStatuses::all);
    }

    /** What another process on the database wrote is for the links of this one. */
    void moved() {
        sync.moved();
    }

    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        ownHub.ifPresent(pairing -> connectOwn(address.localUrl(), pairing));
        start(lifecycle);
    }

    private synchronized void connectOwn(String url, Supplier<String> pairing) {
        connect(config.url(url), Optional.of(pairing));
    }

    /** Dials the hubs. */
    public HubConnections start(Lifecycle lifecycle) {
        return lifecycle.start("hub links", connections);
    }
}
