package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.config.RegistryOptions;
import dev.skep.app.log.Logs;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.key.Key;
import dev.skep.directory.key.KeyKind;
import dev.skep.directory.key.KeyStore;
import dev.skep.directory.secret.Secrets;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.routes.RegistryAccess;
import dev.skep.registry.routes.Visitor;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Authentication;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.socket.SocketEndpoints;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code skep registry}: a registry with a listener of its own, on this machine's database. */
public final class RegistryService {
    private static final RequestLimits LIMITS = new RequestLimits(1 << 20, 5_000, 20_000);

    private final Configuration configuration;
    private final RegistryOptions options;
    private final Lifecycle lifecycle;

    public RegistryService(
            Configuration configuration, RegistryOptions options, Lifecycle lifecycle) {
        this.configuration = configuration;
        this.options = options;
        this.lifecycle = lifecycle;
    }

    /**
     * Starts it and tells where it is, one line each. A failure closes what was open.
     *
     * @param keep false to forget everything at the end
     */
    public List<String> start(Path home, boolean keep, String version) {
        try {
            DataDir.prepare(configuration.dataDir());
            lifecycle.own("logs", Logs.open(configuration.dataDir()));
            HostProcess process = keep ? kept() : forgotten();
            PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            RegistryHouse house =
                    RegistryHouse.open(
                            lifecycle,
                            process,
                            options,
                            new RegistryHouse.Surroundings(
                                    home,
                                    configuration.dataDir().resolve("logs"),
                                    configuration.registry().token(),
                                    tokensOf(process),
                                    host -> false,
                                    Optional.empty(),
                                    meters,
                                    version));
            Listener listener = listen(house, meters);
            return told(listener, process, home);
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private HostProcess kept() {
        return open(configuration.dataDir());
    }

    private HostProcess forgotten() {
        return open(lifecycle.own("temporary folder", new TemporaryFolder()).path());
    }

    private HostProcess open(Path folder) {
        return HostProcess.open(
                lifecycle,
                new DatabaseUrl.Sqlite(folder.resolve("runner.db")),
                folder,
                HostKind.RUNNER,
                configuration.host().hostname());
    }

    private Listener listen(RegistryHouse house, PrometheusMeterRegistry meters) {
        ListenerConfig config =
                new ListenerConfig(
                        options.address(),
                        options.port(),
                        Optional.empty(),
                        true,
                        Set.of(configuration.host().hostname()),
                        options.origins(),
                        LIMITS);
        SocketEndpoints sockets = house.endpoints(config);
        RouteTable routes = new RouteTable(new HealthRoutes(meters, Map.of()).routes());
        Listener listener =
                new Listener(
                        config,
                        new Dispatch(routes, new Nobody()),
                        new Listener.Mounts(List.of(), List.of(sockets.andTheRest())),
                        new RequestMeter(meters),
                        new SecureRandom());
        lifecycle.start("registry listener", listener);
        lifecycle.start("registry sockets", sockets);
        return listener;
    }

    private List<String> told(Listener listener, HostProcess process, Path home) {
        List<String> lines = new ArrayList<>();
        lines.add("Hypivisor online: " + listener.url().replaceFirst("^http", "ws") + "/ws");
        lines.add("database " + process.database().name());
        if (configuration.registry().token().isEmpty()) {
            lines.add("open to this machine only; set HYPI_TOKEN to ask for a token");
        }
        Path old = home.resolve(".hyper-pi").resolve("state").resolve("hyper-pi.db");
        if (Files.exists(old)) {
            lines.add("found an older registry; take it over with: skep registry import " + old);
        }
        return lines;
    }

    /** Registry tokens of this database's orgs. */
    static RegistryAccess.OtherTokens tokensOf(HostProcess process) {
        KeyStore keys =
                new KeyStore(
                        process.ids(),
                        SystemTime.clock(),
                        new Secrets(new SecureRandom()),
                        new AuditStore(process.ids(), SystemTime.clock()));
        return token ->
                process.database()
                        .read(snapshot -> keys.usable(snapshot, KeyKind.REGISTRY_TOKEN, token))
                        .map(Key::org)
                        .map(org -> new Visitor(new OrgId(org), false, false));
    }

    /** Nobody signs in here: clients show their token to the registry itself. */
    private static final class Nobody implements Authentication {
        @Override
        public Optional<Principal> principalOf(Credentials credentials) {
            return Optional.empty();
        }

        @Override
        public boolean isOrg(OrgId org) {
            return false;
        }
    }
}
