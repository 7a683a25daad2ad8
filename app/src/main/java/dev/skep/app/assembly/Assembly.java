package dev.skep.app.assembly;

import dev.skep.app.retention.RetentionRoutes;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.assembly.DirectoryModule;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.module.NodeRemovals;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.NodeListStore;
import dev.skep.runner.terminal.Terminal;
import dev.skep.store.DatabaseUrl;
import dev.skep.supervisor.SupervisorModule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Composes modules into a process of {@code skep up}, {@code run} or {@code hub}: a database for
 * each host, the modules on them, one listener. Each module is opened in order, started in order
 * once the process listens, and closed in reverse by the {@link Lifecycle}. Runner and hub are
 * joined by a link, in one process as in two.
 */
public final class Assembly {
    private final ProcessContext around;
    private final List<String> lines = new ArrayList<>();

    public Assembly(Configuration configuration, Lifecycle lifecycle, Path home, String version) {
        this.around = new ProcessContext(lifecycle, configuration, home, version);
    }

    /**
     * A process that is open.
     *
     * @param lines what a person should know, one line each
     * @param url where this machine reaches its listener
     * @param main the host people sign in to: the hub, where there is one
     */
    public record Opened(List<String> lines, String url, HostProcess main) {}

    /** Opens the parts; a failure closes what was open. */
    public Opened open(Composition parts, Terminal terminal) {
        lines.add("data dir " + around.configuration().dataDir());
        return around.open(() -> compose(parts, terminal));
    }

    private Opened compose(Composition parts, Terminal terminal) {
        Configuration configuration = around.configuration();
        Optional<HostProcess> runnerHost =
                host(parts.runner(), HostDatabases.runnerDatabase(configuration), HostKind.RUNNER);
        Optional<HostProcess> hubHost = host(parts.hub(), configuration.database(), HostKind.HUB);
        HostProcess main = hubHost.or(() -> runnerHost).orElseThrow();
        HostProcess own = runnerHost.or(() -> hubHost).orElseThrow();
        var eventBus = new EventBus();

        DirectoryModule directory =
                around.opened(DirectoryAssembly.of(configuration, main, own.host(), eventBus));
        Optional<HubModules> hub =
                hubHost.map(
                        host ->
                                new HubModules(
                                        around,
                                        host,
                                        directory.directory(),
                                        eventBus,
                                        parts.runner()));
        // A bus of its own: events of one database do not concern the other's listeners.
        Optional<RunnerModules> runner =
                runnerHost.map(
                        host ->
                                new RunnerModules(
                                        around,
                                        host,
                                        parts.hub() ? new EventBus() : eventBus,
                                        hub.map(_ -> directory::pairingCode),
                                        terminal));
        List<RegistryModule> registries =
                Stream.of(hub.map(HubModules::registry), runner.map(RunnerModules::registry))
                        .flatMap(Optional::stream)
                        .toList();
        NodeList nodes = nodeList(main, registries);
        registries.getFirst().serve(directory.directory(), nodes, removals(registries, hub, main));
        Optional<SupervisorModule> supervisor =
                parts.supervisor()
                        ? hub.map(h -> h.supervisor(nodes))
                                .or(
                                        () ->
                                                runner.map(
                                                        r ->
                                                                r.supervisor(
                                                                        directory.directory(),
                                                                        nodes)))
                        : Optional.empty();
        supervisor.ifPresent(
                pages -> registries.forEach(each -> each.onUnstored(pages::nodesMoved)));

        List<FeatureModule> modules = new ArrayList<>(List.of(directory));
        supervisor.ifPresent(modules::add);
        hub.ifPresent(part -> modules.addAll(part.all()));
        List<FeatureModule> ofRunner = runner.map(RunnerModules::all).orElse(List.of());
        var acceptors =
                new ProcessAcceptors(
                        around,
                        directory.directory(),
                        Stream.concat(modules.stream(), ofRunner.stream()).toList(),
                        RetentionRoutes.of(configuration.retention(), own, main).routes(),
                        Stream.of(runnerHost, hubHost).flatMap(Optional::stream).toList());
        ProcessAddress address = acceptors.open();
        lines.addAll(acceptors.describe(parts.supervisor()));

        start(modules, address);
        // Before the agents begin to work: a port that is taken ends the start, and so does a
        // roster that cannot be read.
        List<String> registryPort = RegistryPort.open(around, registries.getLast(), own);
        registries.forEach(RegistryModule::awaitLoaded);
        start(ofRunner, address);
        lines.addAll(registryPort);
        return new Opened(lines, address.localUrl(), main);
    }

    private void start(List<FeatureModule> modules, ProcessAddress address) {
        modules.forEach(module -> module.start(around.lifecycle(), address));
        modules.forEach(module -> lines.addAll(module.lines()));
    }

    private Optional<HostProcess> host(boolean wanted, DatabaseUrl url, HostKind kind) {
        if (!wanted) {
            return Optional.empty();
        }
        HostProcess process =
                HostDatabases.open(around.lifecycle(), url, around.configuration(), kind);
        new ProcessMeter(around.meters()).showSize(process);
        lines.add(
                "%s database %s, host %s"
                        .formatted(kind.stored(), process.database().name(), process.host().id()));
        return Optional.of(process);
    }

    /**
     * Pages show the hub's nodes; those not stored yet may be of the runner in the same process.
     */
    private static NodeList nodeList(HostProcess main, List<RegistryModule> registries) {
        return new NodeList(
                new NodeListStore(main.database()),
                org -> registries.stream().flatMap(each -> each.unstored(org).stream()).toList());
    }

    private static NodeRemovals removals(
            List<RegistryModule> registries, Optional<HubModules> hub, HostProcess main) {
        Map<HostId, Function<OrgId, Registry>> here = new HashMap<>();
        registries.forEach(each -> here.put(each.host(), each::of));
        return new NodeRemovals(here, hub.map(HubModules::removalElsewhere), Optional.of(main));
    }
}
