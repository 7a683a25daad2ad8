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
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The links of a runner to the hubs it was given, and to the one in its own process. */
public final class LinkAssembly {
    private final Configuration configuration;
    private final HostProcess process;
    private final HttpClient client;
    private final RunnerSync sync;
    private final List<LinkTraffic<String>> traffics;
    private final BiConsumer<EnrolledHub, HttpClient> eachHub;
    private final RetentionStore retention;
    private final List<HubUrl> urls = new ArrayList<>();
    private final List<Connection> connections = new ArrayList<>();
    private Runnable moved = () -> {};

    /**
     * Contacts nobody yet.
     *
     * @param others what the links carry besides sync
     * @param eachHub is told of every hub there will be a link to
     */
    public LinkAssembly(
            Lifecycle lifecycle,
            Configuration configuration,
            HostProcess process,
            Events events,
            List<LinkTraffic<String>> others,
            BiConsumer<EnrolledHub, HttpClient> eachHub) {
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
        Stream<String> told = configuration.links().hubs().stream().map(URI::toString);
        String own = ownHub(configuration.dataDir());
        Stream<String> joined =
                process.host().keys().hubs().stream()
                        .filter(hub -> !hub.hubId().equals(own))
                        .map(JoinedHub::url);
        Stream.concat(told, joined)
                .map(this::url)
                .distinct()
                .forEach(hub -> connect(hub, Optional.empty()));
    }

    /** The hub that shares the data dir: whoever starts both together joins them. */
    private static String ownHub(Path dataDir) {
        return HostKeyFile.in(dataDir, HostKind.HUB)
                .read()
                .map(content -> content.host().value())
                .orElse("");
    }

    /** Adds the hub of the same process, which lets this runner in by itself. */
    public void connectOwn(String url, Supplier<String> pairing) {
        connect(url(url), Optional.of(pairing));
    }

    private HubUrl url(String text) {
        return HubUrl.of(text, configuration.listener().plainOffLoopback());
    }

    private void connect(HubUrl url, Optional<Supplier<String>> pairing) {
        urls.add(url);
        HubSession session =
                new HubSession(
                        process.host(),
                        url,
                        configuration.links().accessKey().map(Secret::value),
                        client,
                        SystemTime.clock());
        EnrolledHub hub = new EnrolledHub(session, pairing, sync::isLinked);
        eachHub.accept(hub, client);
        LinkDialer dialer =
                new LinkDialer(
                        client,
                        hub,
                        new Traffics<>(traffics),
                        SystemTime.clock(),
                        new SecureRandom());
        dialer.onStatus(() -> moved.run());
        connections.add(new Connection(hub, dialer));
    }

    /** Runs the listener when a link has changed; to be said before they start. */
    void onMoved(Runnable listener) {
        moved = listener;
        sync.onStanding(listener);
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
        return urls.stream()
                .map(url -> process.host().keys().hub(url.base()))
                .map(joined -> joined.map(JoinedHub::hubId).orElse(""))
                .toList();
    }

    /** How many hubs are linked now. */
    int open() {
        return (int)
                connections.stream().filter(each -> each.dialer().status().connected()).count();
    }

    /** How the links stand; also before they are started. */
    List<HubConnections.Status> status() {
        return new HubConnections(sync, connections).status();
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
        return lifecycle.start("hub links", new HubConnections(sync, connections));
    }
}
