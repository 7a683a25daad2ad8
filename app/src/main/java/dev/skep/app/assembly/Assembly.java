package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.service.Registry;
import dev.skep.registry.table.NodeListStore;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.route.Route;
import dev.skep.transport.socket.SocketEndpoints;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Composes the modules into a process: each component is made here from its configuration, started
 * in order and closed in reverse by the {@link Lifecycle}. Runner and hub keep a database each and
 * are joined by a link, in one process as in two.
 */
public final class Assembly {
    private final ProcessContext around;
    private final List<String> told = new ArrayList<>();

    public Assembly(Configuration configuration, Lifecycle lifecycle, Path home, String version) {
        this.around = new ProcessContext(lifecycle, configuration, home, version);
    }

    /**
     * A process that is open.
     *
     * @param told what a person should know, one line each
     * @param url where this machine reaches its listener
     * @param main the host people sign in to: the hub, where there is one
     */
    public record Opened(List<String> told, String url, HostProcess main) {}

    /** Opens the parts; a failure closes what was open. */
    public Opened open(Composition parts, Terminal terminal) {
        told.add("data dir " + around.configuration().dataDir());
        return around.open(() -> compose(parts, terminal));
    }

    private Opened compose(Composition parts, Terminal terminal) {
        Configuration configuration = around.configuration();
        Optional<HostProcess> runnerHost =
                parts.runner()
                        ? Optional.of(
                                host(HostProcess.runnerDatabase(configuration), HostKind.RUNNER))
                        : Optional.empty();
        Optional<HostProcess> hubHost =
                parts.hub()
                        ? Optional.of(host(configuration.database(), HostKind.HUB))
                        : Optional.empty();
        HostProcess main = hubHost.or(() -> runnerHost).orElseThrow();
        HostProcess own = runnerHost.or(() -> hubHost).orElseThrow();
        var eventBus = new EventBus();
        var people = new DirectoryAssembly(around.lifecycle(), configuration, main, own, eventBus);
        Optional<HubPart> hub = hubHost.map(host -> new HubPart(around, host, people, eventBus));
        // Another bus than the hub's: what one database stores is no news about the other's.
        Optional<RunnerPart> runner =
                runnerHost.map(
                        host ->
                                new RunnerPart(
                                        around,
                                        host,
                                        hub.isPresent() ? new EventBus() : eventBus,
                                        terminal));
        if (hub.isEmpty()) {
            runner.ifPresent(part -> people.joined(part::syncStatuses));
        }
        List<OrgRegistries> registries =
                Stream.of(hub.map(HubPart::registry), runner.map(RunnerPart::registry))
                        .flatMap(Optional::stream)
                        .toList();
        NodeList nodeList = nodeList(main, registries);
        Optional<SupervisorAssembly> pages =
                parts.supervisor()
                        ? Optional.of(
                                hub.map(h -> h.supervisor(people, eventBus, nodeList))
                                        .or(() -> runner.map(r -> r.supervisor(people, nodeList)))
                                        .orElseThrow())
                        : Optional.empty();
        pages.ifPresent(
                shown ->
                        registries.forEach(
                                orgRegistries -> orgRegistries.onUnstored(shown::nodesMoved)));

        OrgRegistries registry =
                hub.map(HubPart::registry).or(() -> runner.map(RunnerPart::registry)).orElseThrow();
        ProcessAcceptors processAcceptors =
                new ProcessAcceptors(
                        around,
                        people,
                        routes(hub, runner, pages, registry, nodeList, main),
                        Stream.of(runnerHost, hubHost).flatMap(Optional::stream).toList());
        RegistrySockets nodes = registry.sockets();
        SocketEndpoints nodeSockets = nodes.guarded(configuration.listener(), people);
        processAcceptors.mount(nodeSockets);
        hub.ifPresent(part -> part.sockets(processAcceptors).forEach(processAcceptors::mount));
        pages.ifPresent(_ -> processAcceptors.mount(SupervisorAssembly.pages()));
        processAcceptors.open();
        nodes.count(processAcceptors.port(), nodeSockets);
        told.addAll(processAcceptors.describe(parts.supervisor()));

        pages.ifPresent(shown -> shown.start(around.lifecycle()));
        hub.ifPresent(part -> part.opened(around.lifecycle(), processAcceptors.publicUrl()));
        hub.ifPresent(
                part -> around.lifecycle().start("hub retention", part.retention(configuration)));
        hub.ifPresent(part -> part.join(around.lifecycle()));
        // Before the agents begin to work: a port that is taken ends the start, and so does a
        // roster that cannot be read.
        List<String> registryPort =
                RegistryPort.open(around, runner.map(RunnerPart::registry).orElse(registry));
        hub.ifPresent(part -> part.registry().awaitLoaded());
        runner.ifPresent(part -> part.registry().awaitLoaded());
        runner.ifPresent(
                part ->
                        told.addAll(
                                part.start(
                                        hub.map(
                                                h ->
                                                        new RunnerPart.OwnHub(
                                                                processAcceptors.localUrl(),
                                                                h::pairingCode)))));
        told.addAll(registryPort);
        return new Opened(told, processAcceptors.localUrl(), main);
    }

    /** What people look at is the hub's; what is not stored yet may be the runner's beside it. */
    private static NodeList nodeList(HostProcess main, List<OrgRegistries> registries) {
        return new NodeList(
                new NodeListStore(main.database()),
                org ->
                        registries.stream()
                                .flatMap(orgRegistries -> orgRegistries.unstored(org).stream())
                                .toList());
    }

    private static List<Route> routes(
            Optional<HubPart> hub,
            Optional<RunnerPart> runner,
            Optional<SupervisorAssembly> pages,
            OrgRegistries registry,
            NodeList nodes,
            HostProcess main) {
        Map<HostId, Function<OrgId, Registry>> here = new HashMap<>();
        here.put(registry.host(), registry::of);
        runner.map(RunnerPart::registry).ifPresent(own -> here.put(own.host(), own::of));
        var removals =
                new NodeRemovals(here, hub.map(HubPart::removalElsewhere), Optional.of(main));
        List<Route> routes = new ArrayList<>(registry.routes(nodes, removals));
        hub.ifPresent(part -> routes.addAll(part.routes()));
        runner.ifPresent(part -> routes.addAll(part.routes()));
        hub.filter(_ -> runner.isEmpty()).ifPresent(part -> routes.addAll(part.upstreamRoutes()));
        pages.ifPresent(shown -> routes.addAll(shown.routes()));
        return routes;
    }

    private HostProcess host(DatabaseUrl url, HostKind kind) {
        HostProcess process =
                HostProcess.open(around.lifecycle(), url, around.configuration(), kind);
        new FleetMeter(around.meters()).showSize(process);
        told.add(
                "%s database %s, host %s"
                        .formatted(kind.stored(), process.database().name(), process.host().id()));
        return process;
    }
}
