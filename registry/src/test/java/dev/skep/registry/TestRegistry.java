package dev.skep.registry;

import dev.skep.agents.AgentTables;
import dev.skep.directory.HostTable;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.folder.AgentSpawner;
import dev.skep.registry.folder.HomeFolder;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.registry.proxy.DirectNodeConnector;
import dev.skep.registry.proxy.NodeAddressPolicy;
import dev.skep.registry.proxy.NodeConnector;
import dev.skep.registry.routes.RegistryAccess;
import dev.skep.registry.routes.RegistryCallHandler;
import dev.skep.registry.routes.RegistryCaller;
import dev.skep.registry.routes.RegistryMeter;
import dev.skep.registry.routes.RegistrySocketAcceptor;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import dev.skep.store.feed.SyncTables;
import dev.skep.sync.SyncSchema;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.SettableClock;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.Metrics;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketEndpoints;
import dev.skep.transport.socket.SocketLimits;
import dev.skep.transport.socket.SocketRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** A registry with its sockets on a free port, and a clock the test sets. */
public final class TestRegistry implements AutoCloseable {
    public static final String TOKEN = "s3cret+/ä";
    public static final OrgId OTHER_ORG = new OrgId("other");
    public static final String OTHER_TOKEN = "other-token";
    public static final String ADMIN_TOKEN = "admin-token";

    public static final int MOST_AGENTS = 3;

    public final SettableClock clock;
    public final Database database;
    public final LocalHost host;
    public final SocketEndpoints endpoints;
    public final SyncSchema schema = SyncSchema.of(new SyncTables(allTables()), 1);
    public final FeedClock feed;
    public final RetentionClock ages;

    /** How far somebody has set the clock while time went on. */
    private volatile Duration set = Duration.ZERO;

    private final Predicate<HostId> isOnline;
    private final Optional<NodeConnector> elsewhere;
    public final UlidSource ids;
    private final AgentSpawner spawner;
    private final Options options;
    private final Map<OrgId, Registry> registries = new ConcurrentHashMap<>();
    private final SocketDialer dialer;
    private final Listener listener;

    /** How a house is set up. */
    public record Options(
            Path folder,
            DatabaseUrl url,
            Optional<String> token,
            NodeTimeouts lifetime,
            Path home,
            boolean spawn,
            Duration pingEvery,
            SettableClock clock) {

        public static Options in(Path folder) {
            return new Options(
                    folder,
                    new DatabaseUrl.Sqlite(folder.resolve("runner.db")),
                    Optional.empty(),
                    NodeTimeouts.USUAL,
                    folder,
                    false,
                    Duration.ofSeconds(30),
                    SettableClock.atNewYear());
        }

        public Options on(DatabaseUrl other) {
            return new Options(folder, other, token, lifetime, home, spawn, pingEvery, clock);
        }

        public Options withToken() {
            return new Options(
                    folder, url, Optional.of(TOKEN), lifetime, home, spawn, pingEvery, clock);
        }

        public Options lasting(NodeTimeouts other) {
            return new Options(folder, url, token, other, home, spawn, pingEvery, clock);
        }

        public Options spawningIn(Path other) {
            return new Options(folder, url, token, lifetime, other, true, pingEvery, clock);
        }

        public Options browsing(Path other) {
            return new Options(folder, url, token, lifetime, other, false, pingEvery, clock);
        }
    }

    public TestRegistry(Options options) {
        this(options, other -> true, Optional.empty());
    }

    /** A house that knows which other hosts can be reached, and how. */
    public TestRegistry(
            Options options, Predicate<HostId> isOnline, Optional<NodeConnector> elsewhere) {
        this.options = options;
        this.isOnline = isOnline;
        this.elsewhere = elsewhere;
        this.clock = options.clock();
        this.ids = new UlidSource(clock, new Random(options.folder().hashCode()));
        this.feed = new FeedClock(clock, new Random(2));
        this.database = Databases.open(options.url(), clock);
        this.host =
                LocalHost.open(
                        database,
                        schema.tables(),
                        feed,
                        ids,
                        clock,
                        new SecureRandom(),
                        new LocalHost.Config(options.folder(), "here", HostKind.RUNNER));
        Instant opened = clock.instant();
        this.ages =
                RetentionClock.open(
                        database,
                        clock,
                        () -> Duration.between(opened, clock.instant()).minus(set).toNanos());
        HomeFolder home = new HomeFolder(options.home());
        this.spawner = spawner(home);
        SocketLimits limits = new SocketLimits(16 << 20, 4 << 20, options.pingEvery());
        this.dialer = new SocketDialer(limits, Duration.ofSeconds(2));
        dialer.start();
        ListenerConfig config =
                ListenerConfig.loopback(0).with(new RequestLimits(1 << 20, 100_000, 100_000));
        this.endpoints =
                new SocketEndpoints(new BrowserGuard(config), List.of("/ws/*"), door(home), limits);
        this.listener =
                new Listener(
                        config,
                        new Router(new RouteTable(List.of()), Authenticator.NOBODY),
                        new Listener.Mounts(List.of(), List.of(endpoints.andTheRest())),
                        new RequestMeter(new Metrics()),
                        new SecureRandom());
        registry();
        listener.start();
        endpoints.start();
    }

    private static List<SyncTable> allTables() {
        List<SyncTable> all = new ArrayList<>(List.of(HostTable.HOSTS));
        all.addAll(AgentTables.ALL);
        all.addAll(RegistryTables.ALL);
        return all;
    }

    /** Agents that end at once, or where there is a pipe "stay", when somebody writes to it. */
    private AgentSpawner spawner(HomeFolder home) {
        String agent = "ps -o pgid= -p $$ > started; [ ! -p stay ] || read -r _ < stay";
        return new AgentSpawner(
                home,
                new AgentSpawner.Settings(
                        options.spawn(),
                        List.of("/bin/sh", "-c", agent),
                        options.folder().resolve("logs"),
                        MOST_AGENTS));
    }

    private RegistrySocketAcceptor door(HomeFolder home) {
        return new RegistrySocketAcceptor(
                new RegistryAccess(options.token(), DefaultOrg.DEFAULT, TestRegistry::others, true),
                this::registryOf,
                new RegistryCallHandler.Machine(
                        home, spawner, this::exportOf, this::importInto, "test"),
                this::reach,
                new RegistryMeter(new Metrics(), "runner"));
    }

    private static Optional<RegistryCaller> others(SocketRequest request, String token) {
        return switch (token) {
            case OTHER_TOKEN -> Optional.of(new RegistryCaller(OTHER_ORG, false, false));
            case ADMIN_TOKEN -> Optional.of(new RegistryCaller(DefaultOrg.DEFAULT, true, false));
            default -> Optional.empty();
        };
    }

    private NodeConnector.Opening reach(
            Registry.RegisteredNode registeredNode, MessageReceiver receiver)
            throws InterruptedException {
        return registeredNode.node().host().equals(host.id()) || elsewhere.isEmpty()
                ? direct().open(registeredNode, receiver)
                : elsewhere.get().open(registeredNode, receiver);
    }

    public NodeConnector direct() {
        return new DirectNodeConnector(
                dialer, new NodeAddressPolicy(Set.of("here"), Set.of(), InetAddress::getAllByName));
    }

    public Registry registry() {
        return registryOf(DefaultOrg.DEFAULT);
    }

    public Registry registryOf(OrgId org) {
        return registries.computeIfAbsent(
                org,
                key -> {
                    Registry registry =
                            new Registry(
                                    new Registry.RegistryDependencies(
                                            database, rowsOf(key), ids, clock, ages::now, isOnline),
                                    options.lifetime());
                    registry.start();
                    return registry;
                });
    }

    private OwnRowWriter rowsOf(OrgId org) {
        return org.equals(DefaultOrg.DEFAULT)
                ? host.ownRowWriter()
                : new OwnRowWriter(schema.tables(), feed, org, host.id());
    }

    public StateExport exportOf(Registry registry) {
        return new StateExport(database, rowsOf(registry.org()), clock);
    }

    public StateImport importInto(Registry registry) {
        return new StateImport(registry, database, rowsOf(registry.org()), clock);
    }

    /** Somebody sets the machine's clock. */
    public void setClock(Duration ahead) {
        set = set.plus(ahead);
        clock.advance(ahead);
    }

    public int port() {
        return listener.port();
    }

    public String url() {
        return listener.url();
    }

    public TestRegistryClient client() throws IOException {
        return new TestRegistryClient(port());
    }

    /** A client that has been told who is there. */
    public TestRegistryClient dashboard() throws IOException, InterruptedException {
        TestRegistryClient client = client();
        client.event("init");
        return client;
    }

    /** The same registry after a restart. */
    public TestRegistry restarted() {
        close();
        return new TestRegistry(options);
    }

    @Override
    public void close() {
        endpoints.close();
        listener.close();
        dialer.close();
        registries.values().forEach(Registry::close);
        database.close();
        awaitAgents();
    }

    /** Those that were spawned write where the test's folder is. */
    public void awaitAgents() {
        Eventually.holds("no spawned agent is left", () -> spawner.count() == 0);
    }
}
