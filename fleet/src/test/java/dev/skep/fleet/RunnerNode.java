package dev.skep.fleet;

import dev.skep.app.assembly.HostProcess;
import dev.skep.app.assembly.LinkAssembly;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.link.HubConnections;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import dev.skep.sync.SyncSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** A runner without agents, put together as the app does. */
final class RunnerNode implements AutoCloseable {
    final HostProcess process;
    final FleetRows fleetRows;
    final HubConnections links;
    private final LinkSource shown;
    private final Lifecycle lifecycle = new Lifecycle();

    private RunnerNode(Configuration configuration, UnaryOperator<SyncSchema> schema) {
        HostProcess opened =
                HostProcess.open(
                        lifecycle,
                        HostProcess.runnerDatabase(configuration),
                        configuration,
                        HostKind.RUNNER);
        process =
                new HostProcess(
                        opened.database(),
                        opened.host(),
                        opened.ids(),
                        opened.feed(),
                        schema.apply(opened.schema()),
                        opened.steady(),
                        opened.retention());
        fleetRows = new FleetRows(process);
        LinkAssembly assembly =
                new LinkAssembly(
                        lifecycle,
                        configuration,
                        process,
                        new EventBus(),
                        LinkAssembly.HubLinkListener.NOTHING);
        links = assembly.start(lifecycle);
        shown = assembly.shown();
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
