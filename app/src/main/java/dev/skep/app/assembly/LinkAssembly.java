package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.Secret;
import dev.skep.app.retention.Retention;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.link.EnrolledHub;
import dev.skep.runner.link.HubConnections;
import dev.skep.runner.link.HubConnections.Connection;
import dev.skep.runner.link.LinkRoutes;
import dev.skep.runner.link.RunnerSync;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.client.HttpApi;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkTraffic;
import dev.skep.transport.link.Traffics;
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
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The links of a runner to the hubs it was given, and to the one in its own process. */
public final class LinkAssembly {
    private final Configuration configuration;
    private final HostProcess process;
    private final HttpClient client;
    private final RunnerSync sync;
    private final List<LinkTraffic<String>> traffics;
    private final BiFunction<EnrolledHub, HttpClient, Runnable> eachHub;
    private final RetentionStore retention;
    private final HubConnections connections;
    private final Map<HubUrl, Joined> joined = new ConcurrentHashMap<>();

    /** Those among them that nobody but an enrolment asks for. */
    private final Set<HubUrl> followed = new HashSet<>();

    private volatile Runnable moved = () -> {};

    /** A hub this runner keeps a link to, and what ends what else is done with it. */
    private record Joined(Connection connection, Runnable end) {}

    /**
     * Contacts nobody yet.
     *
     * @param others what the links carry besides sync
     * @param eachHub is told of every hub there will be a link to, and answers what ends with it
     */
    public LinkAssembly(
            Lifecycle lifecycle,
            Configuration configuration,
            HostProcess process,
            Events events,
            List<LinkTraffic<String>> others,
            BiFunction<EnrolledHub, HttpClient, Runnable> eachHub) {
        this.configuration = configuration;
        this.process = process;
        this.client = HttpApi.newClient();
        lifecycle.own("client", client::shutdownNow);
        InstantSource clock = SystemTime.clock();
        SyncSchema schema = process.schema();
        SqlSyncStore store =
                SqlSyncStore.ofRunner(process.database(), schema, process.feed(), events, clock);
        this.retention = store.retention();
        this.sync =
                new RunnerSync(
                        new Principal.Host(process.host().org(), process.host().id()),
                        schema,
                        SyncLimits.DEFAULT,
                        store,
                        process.feed(),
                        clock);
        this.eachHub = eachHub;
        this.traffics = new ArrayList<>(others);
        traffics.add(sync);
        this.connections = new HubConnections(sync);
        configuration.links().hubs().stream()
                .map(told -> url(told.toString()))
                .forEach(told -> connect(told, Optional.empty()));
        follow();
        process.host().keys().onHubs(this::follow);
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
        return HubUrl.of(text, configuration.listener().plainOffLoopback());
    }

    /** False if there is a link to it already, or will be. */
    private boolean connect(HubUrl url, Optional<Supplier<String>> pairing) {
        if (joined.containsKey(url)) {
            return false;
        }
        joined.put(url, joined(url, pairing));
        return true;
    }

    private Joined joined(HubUrl url, Optional<Supplier<String>> pairing) {
        HubSession session =
                new HubSession(
                        process.host(),
                        url,
                        configuration.links().accessKey().map(Secret::value),
                        client,
                        SystemTime.clock());
        EnrolledHub hub = new EnrolledHub(session, pairing, sync::isLinked);
        Runnable end = eachHub.apply(hub, client);
        LinkDialer dialer =
                new LinkDialer(
                        client,
                        hub,
                        new Traffics<>(traffics),
                        SystemTime.clock(),
                        new SecureRandom());
        dialer.onStatus(() -> moved.run());
        Connection connection = new Connection(hub, dialer);
        connections.add(connection);
        moved.run();
        return new Joined(connection, end);
    }

    /** Runs the listener when a link has changed, or there is one more or less. */
    void onMoved(Runnable listener) {
        moved = listener;
        sync.onStanding(listener);
    }

    private void disconnect(HubUrl url) {
        Joined left = joined.remove(url);
        if (left != null) {
            left.end().run();
            connections.remove(left.connection());
            moved.run();
        }
    }

    /** Forgets what is too old and what every hub has. */
    Retention retention() {
        return RetentionAssembly.of(
                process,
                configuration.retention(),
                retention,
                this::hubs,
                Optional.empty(),
                Optional.empty(),
                SystemTime.clock());
    }

    /** The hubs' ids; one that was never reached has none, and has pulled nothing. */
    private List<String> hubs() {
        return joined.keySet().stream()
                .map(url -> process.host().keys().hub(url.base()))
                .map(joined -> joined.map(JoinedHub::hubId).orElse(""))
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
    public Links shown() {
        return new HubLinks(
                new Principal.Host(process.host().org(), process.host().id()),
                this::status,
                sync,
                new SyncReports(process.database(), process.schema()));
    }

    public List<Route> routes() {
        return new LinkRoutes(this::status).routes();
    }

    public HubConnections start(Lifecycle lifecycle) {
        return lifecycle.start("hub links", connections);
    }
}
