package dev.skep.app.assembly;

import dev.skep.app.retention.RetentionRoutes;
import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.assembly.DirectoryModule;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.module.NodeRemovals;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.routes.NodeRoutes;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.NodeListStore;
import dev.skep.runner.module.RunnerModule;
import dev.skep.store.DatabaseUrl;
import dev.skep.sync.module.StoppedSync;
import dev.skep.transport.client.InProcessApiClient;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import java.nio.file.Files;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** The routes of a data dir whose process does not run, on its databases. */
public final class StoppedProcess {
    private StoppedProcess() {}

    /**
     * Opens the databases, as commands ask for it by {@link AdminApi.Stopped}.
     *
     * @param wanted which database a data dir without any gets
     */
    public static AdminApi open(Configuration configuration, HostKind wanted) {
        DataDir.prepare(configuration.dataDir());
        Lifecycle lifecycle = new Lifecycle();
        try {
            Optional<HostProcess> runner = runner(lifecycle, configuration, wanted);
            HostProcess people =
                    runner.filter(_ -> !hasHub(configuration))
                            .orElseGet(() -> hub(lifecycle, configuration));
            var eventBus = new EventBus();
            var around = new ProcessContext(lifecycle, configuration, configuration.dataDir(), "");
            HostProcess own = runner.orElse(people);
            DirectoryModule module =
                    around.opened(
                            DirectoryAssembly.of(configuration, people, own.host(), eventBus));
            Directory directory = module.directory();
            List<Route> routes = new ArrayList<>(module.routes());
            routes.addAll(RetentionRoutes.of(configuration.retention(), own, people).routes());
            routes.addAll(StoppedSync.routes(people, directory.acceptor().links()));
            routes.addAll(
                    new NodeRoutes(
                                    new NodeList(
                                            new NodeListStore(people.database()), _ -> List.of()),
                                    _ -> List.of(),
                                    removals(around, people, runner))
                            .routes());
            if (people.host().kind() == HostKind.HUB) {
                routes.addAll(StoppedHub.routes(configuration, people, directory, eventBus));
            }
            runner.map(host -> RunnerModule.stopped(host, ModuleConfigs.runner(configuration)))
                    .map(RunnerModule::routes)
                    .ifPresent(routes::addAll);
            String secret = new SecretGenerator(new SecureRandom()).key("admin");
            var router =
                    new Router(
                            new RouteTable(routes), directory.authentication(Optional.of(secret)));
            var credentials =
                    new Credentials(Optional.of(secret), Optional.empty(), Actor.LOCAL, true);
            return new AdminApi(
                    new InProcessApiClient(router, credentials),
                    PublicUrl.of(configuration, configuration.listener().port()),
                    lifecycle);
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    /** Opens a registry on demand: it removes nodes, also while none runs. */
    private static NodeRemovals removals(
            ProcessContext around, HostProcess people, Optional<HostProcess> runner) {
        Map<HostId, Function<OrgId, Registry>> here = new HashMap<>();
        Stream.concat(Stream.of(people), runner.stream())
                .forEach(
                        process ->
                                here.put(
                                        process.host().id(),
                                        org ->
                                                around.opened(
                                                                RegistryModule.ofHost(
                                                                        process,
                                                                        ModuleConfigs.registry(
                                                                                around),
                                                                        around.meters()))
                                                        .of(org)));
        return new NodeRemovals(here, Optional.empty(), Optional.of(people));
    }

    private static Optional<HostProcess> runner(
            Lifecycle lifecycle, Configuration configuration, HostKind wanted) {
        var url = HostDatabases.runnerDatabase(configuration);
        return wanted == HostKind.RUNNER || Files.exists(url.file())
                ? Optional.of(HostDatabases.open(lifecycle, url, configuration, HostKind.RUNNER))
                : Optional.empty();
    }

    private static boolean hasHub(Configuration configuration) {
        return !(configuration.database() instanceof DatabaseUrl.Sqlite(var file))
                || Files.exists(file);
    }

    private static HostProcess hub(Lifecycle lifecycle, Configuration configuration) {
        return HostDatabases.open(lifecycle, configuration.database(), configuration, HostKind.HUB);
    }
}
