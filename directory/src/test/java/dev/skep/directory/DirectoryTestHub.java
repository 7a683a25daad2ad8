package dev.skep.directory;

import dev.skep.directory.assembly.Directory;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.link.HubSession;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.ReadinessChecks;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A hub on a free port: SQLite, directory, listener. */
public final class DirectoryTestHub implements AutoCloseable {
    public static final String SHARED_KEY = "the-shared-key-of-this-test";
    public static final String ADMIN_SECRET = "the-admin-secret-of-this-test";

    /** An agent that every org has, for keys of agents. */
    public static final String AGENT_SUFFIX = "-agent";

    public final TestProcess process;

    /** How much monotonic time has passed that did not. */
    public final AtomicLong laterNanos = new AtomicLong();

    public final EventBus eventBus = new EventBus();
    public final Directory directory;
    public final Router router;
    public final Listener listener;
    public final HttpClient client = HttpApiClient.newClient();

    public DirectoryTestHub(Path dataDir) {
        this(new TestProcess(dataDir, HostKind.HUB, "hub"));
    }

    public DirectoryTestHub(TestProcess process) {
        this.process = process;
        directory =
                new Directory(
                        process.database,
                        process.host,
                        eventBus,
                        new Directory.Sources(
                                process.ids,
                                process.clock,
                                process.clock,
                                () -> System.nanoTime() + laterNanos.get(),
                                new SecureRandom()),
                        new Directory.Config(
                                process.dataDir,
                                Optional.of(SHARED_KEY),
                                Runtime.getRuntime().availableProcessors(),
                                (principal, id) ->
                                        id.equals(principal.org() + AGENT_SUFFIX)
                                                ? Optional.of(
                                                        new ApiKeyStore.Subject(id, "some-host"))
                                                : Optional.empty(),
                                who -> Map.of()));
        Metrics registry = new Metrics();
        List<Route> routes = new ArrayList<>(directory.routes());
        routes.addAll(new HealthRoutes(registry, ReadinessChecks.NONE).routes());
        router =
                new Router(
                        new RouteTable(routes),
                        directory.authentication(Optional.of(ADMIN_SECRET)));
        listener =
                new Listener(
                        ListenerConfig.loopback(0).with(new RequestLimits(1 << 20, 50_000, 50_000)),
                        router,
                        Listener.Mounts.NONE,
                        new RequestMeter(registry),
                        new SecureRandom());
        listener.start();
    }

    /** The command line of this machine. */
    public ApiClient admin() {
        return new HttpApiClient(client, listener.url(), Optional.of(ADMIN_SECRET));
    }

    public ApiClient as(String bearer) {
        return new HttpApiClient(client, listener.url(), Optional.of(bearer));
    }

    public ApiClient nobody() {
        return new HttpApiClient(client, listener.url(), Optional.empty());
    }

    /** The process itself, in an org. */
    public Actor local(String org) {
        return Actor.local(new OrgId(org));
    }

    public HubSession session(LocalHost host, Optional<String> accessKey) {
        return new HubSession(
                host,
                HubUrl.of(listener.url(), false),
                accessKey,
                Consents.USUAL,
                client,
                process.clock);
    }

    public String pairingCode() {
        return directory.acceptor().hosts().pair(local("default"), Optional.empty()).code();
    }

    @Override
    public void close() {
        client.close();
        listener.close();
        directory.close();
        process.close();
    }
}
