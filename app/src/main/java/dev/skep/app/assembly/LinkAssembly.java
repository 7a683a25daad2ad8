package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.Secret;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.link.EnrolledHub;
import dev.skep.runner.link.HubConnections;
import dev.skep.runner.link.HubConnections.Connection;
import dev.skep.runner.link.LinkRoutes;
import dev.skep.runner.link.RunnerSync;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.transport.client.HttpApi;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.Traffics;
import dev.skep.transport.route.Route;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The links of a runner to the hubs it was given, and to the one in its own process. */
public final class LinkAssembly {
    private final Configuration configuration;
    private final HostProcess process;
    private final HttpClient client;
    private final RunnerSync sync;
    private final List<Connection> connections = new ArrayList<>();

    public LinkAssembly(Lifecycle lifecycle, Configuration configuration, HostProcess process) {
        this.configuration = configuration;
        this.process = process;
        this.client = HttpApi.newClient();
        lifecycle.own("client", client::shutdownNow);
        InstantSource clock = SystemTime.clock();
        SyncSchema schema = process.schema();
        this.sync =
                new RunnerSync(
                        new Principal.Host(process.host().org(), process.host().id()),
                        schema,
                        SyncLimits.DEFAULT,
                        SqlSyncStore.ofRunner(process.database(), schema, process.feed(), clock),
                        process.feed(),
                        clock);
        for (URI hub : configuration.links().hubs()) {
            connect(hub.toString(), Optional.empty());
        }
    }

    /** Adds the hub of the same process, which lets this runner in by itself. */
    public void connectOwn(String url, Supplier<String> pairing) {
        connect(url, Optional.of(pairing));
    }

    private void connect(String url, Optional<Supplier<String>> pairing) {
        boolean plainAllowed = configuration.listener().plainOffLoopback();
        HubSession session =
                new HubSession(
                        process.host(),
                        HubUrl.of(url, plainAllowed),
                        configuration.links().accessKey().map(Secret::value),
                        client,
                        SystemTime.clock());
        EnrolledHub hub = new EnrolledHub(session, pairing, sync::isLinked);
        connections.add(
                new Connection(
                        hub,
                        new LinkDialer(
                                client,
                                hub,
                                new Traffics<>(List.of(sync)),
                                SystemTime.clock(),
                                new SecureRandom())));
    }

    /** How the links stand; also before they are started. */
    public List<Route> routes() {
        return new LinkRoutes(() -> new HubConnections(sync, connections).status()).routes();
    }

    public HubConnections start(Lifecycle lifecycle) {
        return lifecycle.start("hub links", new HubConnections(sync, connections));
    }
}
