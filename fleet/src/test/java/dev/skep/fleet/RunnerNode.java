package dev.skep.fleet;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.app.assembly.ModuleConfigs;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.supervisor.feature.RunnerLinkSource;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.module.HubConnections;
import dev.skep.sync.module.RunnerSyncModule;
import dev.skep.sync.sql.SyncReports;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A runner without agents, put together as the app does. */
final class RunnerNode implements AutoCloseable {
    final HostProcess process;
    final SyncSchema schema;
    final FleetRows fleetRows;
    final HubConnections links;
    private final LinkSource shown;
    private final Lifecycle lifecycle = new Lifecycle();

    private RunnerNode(Configuration configuration, UnaryOperator<SyncSchema> changed) {
        process =
                HostDatabases.open(
                        lifecycle,
                        HostDatabases.runnerDatabase(configuration),
                        configuration,
                        HostKind.RUNNER);
        schema = changed.apply(SyncSchema.of(process.tables()));
        fleetRows = new FleetRows(process);
        var module =
                new RunnerSyncModule(
                        process,
                        schema,
                        new EventBus(),
                        ModuleConfigs.links(configuration),
                        Optional.empty(),
                        List.of());
        module.open(lifecycle);
        links = module.start(lifecycle);
        shown =
                new RunnerLinkSource(
                        module::syncStatuses, new SyncReports(process.database(), schema));
    }

    /** How its pages show the link to one hub. */
    LinkView link(String hub) {
        var self = new Principal.Host(process.host().org(), process.host().id());
        return shown.all(self).stream()
                .filter(link -> link.peer().startsWith(hub))
                .findFirst()
                .orElseThrow();
    }

    static RunnerNode open(Path dataDir, String name, String... hubs) {
        return new RunnerNode(
                TestSettings.runner(dataDir, name, List.of(hubs)), UnaryOperator.identity());
    }

    /** A runner of a later version of this program. */
    static RunnerNode newer(Path dataDir, String name, String hub) {
        return new RunnerNode(
                TestSettings.runner(dataDir, name, List.of(hub)),
                schema -> SyncSchema.of(schema.tables(), schema.version() + 1));
    }

    /** A runner that speaks as it did when its schema was the given one. */
    static RunnerNode elder(Path dataDir, String name, String hub, int version) {
        return new RunnerNode(
                TestSettings.runner(dataDir, name, List.of(hub)),
                schema ->
                        new SyncSchema(
                                schema.tables(), version, SyncSchema.PROTOCOL_MIN, schema.named()));
    }

    String id() {
        return process.host().id().value();
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
