package dev.skep.app.assembly;

import dev.skep.app.adapter.NodeRemovalJob;
import dev.skep.app.retention.RetentionAssembly;
import dev.skep.app.retention.RetentionModule;
import dev.skep.app.retention.RetentionRoutes;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.admin.AdminFile;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.assembly.DirectoryModule;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.module.NodeRemovals;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.table.NodeListStore;
import dev.skep.shell.redact.Redactor;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.module.RunnerSyncModule;
import dev.skep.sync.module.StoppedSync;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.worker.HostMetrics;
import dev.skep.worker.HostSlots;
import dev.skep.worker.HubWorkers;
import dev.skep.worker.JobWorker;
import dev.skep.worker.WorkerModule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code skep registry}: a registry with a listener of its own, on this machine's database. */
public final class RegistryService {
    /** Nothing else here opens much. */
    private static final double PART = 0.75;

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
     * Starts it and returns where it is, one line each. A failure closes what was open.
     *
     * @param keep false to delete everything at the end
     */
    public List<String> start(Path home, boolean keep, String version) {
        var around = new ProcessContext(lifecycle, configuration, home, version);
        return keep
                ? around.open(() -> open(around, true))
                : around.openWithoutFolder(() -> open(around, false));
    }

    private List<String> open(ProcessContext around, boolean keep) {
        HostProcess process =
                keep
                        ? HostDatabases.open(
                                lifecycle,
                                HostDatabases.runnerDatabase(configuration),
                                configuration,
                                HostKind.RUNNER)
                        : HostDatabases.inMemory(lifecycle, configuration, HostKind.RUNNER);
        RegistryModule registry =
                around.opened(
                        RegistryModule.ofHost(
                                process, ModuleConfigs.registry(around, options), around.meters()));
        // A temporary registry would join as a new host at every start.
        List<FeatureModule> joining = keep ? joining(around, process, registry) : List.of();
        String secret = new SecretGenerator(new SecureRandom()).key("admin");
        Listener listener =
                RegistryListener.open(
                        around,
                        registry,
                        inside(around, process, registry, joining, secret),
                        "--port",
                        PART);
        if (keep) {
            var address = new AdminFile.Address(listener.localUrl(), listener.url(), secret);
            lifecycle.own("admin file", AdminFile.write(configuration.dataDir(), address));
        }
        registry.awaitLoaded();
        var address = new ProcessAddress(listener.port(), listener.localUrl(), listener.url());
        joining.forEach(module -> module.start(lifecycle, address));
        return lines(listener, process, around.home(), keep);
    }

    /** Its nodes are of the fleet's roster where this host is in a fleet. */
    private List<FeatureModule> joining(
            ProcessContext around, HostProcess process, RegistryModule registry) {
        WorkerModule worker =
                around.opened(
                        WorkerModule.of(
                                process.host(), workers(around.version(), process, registry)));
        RunnerSyncModule links =
                around.opened(
                        new RunnerSyncModule(
                                process,
                                SyncSchema.of(process.tables()),
                                new EventBus(),
                                ModuleConfigs.links(configuration),
                                Optional.empty(),
                                List.of(worker, registry)));
        var retention =
                new RetentionModule(
                        "retention",
                        RetentionAssembly.of(
                                process,
                                configuration.retention(),
                                links.retention(),
                                links::hubs,
                                options.lifetime(),
                                Optional.empty(),
                                Optional.empty(),
                                new SizeLimitPurges(),
                                process.clock()),
                        List.of());
        return List.of(links, retention, worker);
    }

    /** The one job a hub can give it: only this host removes its nodes. */
    private HubWorkers workers(String version, HostProcess process, RegistryModule registry) {
        return new HubWorkers(
                new JobWorker.Parts(
                        version,
                        List.of(
                                new NodeRemovalJob(
                                        () -> registry.of(process.host().org()),
                                        process.host().principal())),
                        new HostSlots(1),
                        new HostMetrics(configuration.dataDir()),
                        hub -> Map.of(),
                        new Redactor(List.of())));
    }

    /**
     * What the command line asks of this data dir; others get only the health. People and hosts
     * sign in where there is a runner or a hub.
     */
    private Router inside(
            ProcessContext around,
            HostProcess process,
            RegistryModule registry,
            List<FeatureModule> joining,
            String secret) {
        DirectoryModule people =
                around.opened(
                        DirectoryAssembly.of(
                                configuration, process, process.host(), new EventBus()));
        Directory directory = people.directory();
        registry.serve(
                directory,
                new NodeList(new NodeListStore(process.database()), registry::unstored),
                new NodeRemovals(
                        Map.of(registry.host(), registry::of), Optional.empty(), Optional.empty()));
        List<Route> routes =
                new ArrayList<>(
                        people.routes().stream()
                                .filter(route -> !route.access().allowsAnonymous())
                                .toList());
        routes.addAll(RetentionRoutes.of(configuration.retention(), process).routes());
        routes.addAll(registry.routes());
        joining.forEach(module -> routes.addAll(module.routes()));
        if (joining.isEmpty()) {
            routes.addAll(StoppedSync.routes(process, directory.acceptor().links()));
        }
        routes.addAll(
                new HealthRoutes(around.meters(), DatabaseReadiness.of(List.of(process))).routes());
        return new Router(new RouteTable(routes), directory.authentication(Optional.of(secret)));
    }

    private List<String> lines(Listener listener, HostProcess process, Path home, boolean joins) {
        List<String> lines = new ArrayList<>();
        lines.add("Hypivisor online: " + listener.url().replaceFirst("^http", "ws") + "/ws");
        lines.add("database " + process.database().name());
        if (configuration.registry().token().isEmpty()) {
            lines.add("open to this machine only; set HYPI_TOKEN to ask for a token");
        }
        if (!joins && !configuration.links().hubs().isEmpty()) {
            lines.add("joins no hub: what keeps nothing would be another host at every start");
        }
        Path old = home.resolve(".hyper-pi").resolve("state").resolve("hyper-pi.db");
        if (Files.exists(old)) {
            lines.add("found an older registry; take it over with: skep registry import " + old);
        }
        return lines;
    }
}
