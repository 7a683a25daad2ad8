package dev.skep.app.assembly;

import dev.skep.agents.AgentStore;
import dev.skep.app.retention.RetentionRoutes;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.SecretValue;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.routes.LocalHostRoutes;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.hub.HubSync.PendingResponse;
import dev.skep.sync.routes.SyncRoutes;
import dev.skep.sync.sql.HostSyncStatusReader;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The directory people and hosts are looked up in, and the routes to it. */
public final class DirectoryAssembly {
    private final Directory directory;
    private final List<Route> routes = new ArrayList<>();
    private final HostSyncStatusReader hostSyncStatuses;
    private volatile Supplier<Map<HostId, PendingResponse>> pendingResponse = Map::of;
    private volatile Function<Principal, List<PeerSyncStatus>> peers;

    /**
     * Stands on the database people sign in to.
     *
     * @param own the host whose hubs and key the command line is about: a runner's, where one is
     */
    public DirectoryAssembly(
            Lifecycle lifecycle,
            Configuration configuration,
            HostProcess people,
            HostProcess own,
            EventBus eventBus) {
        directory =
                lifecycle.own(
                        "directory",
                        new Directory(
                                people.database(),
                                people.host(),
                                eventBus,
                                new Directory.Sources(
                                        people.ids(),
                                        SystemTime.clock(),
                                        people.steady(),
                                        System::nanoTime,
                                        new SecureRandom()),
                                new Directory.Config(
                                        configuration.links().accessKey().map(SecretValue::value),
                                        Runtime.getRuntime().availableProcessors(),
                                        (who, agent) -> agent(people, eventBus, who, agent),
                                        new HostConsents(people.database())::of)));
        routes.addAll(directory.routes());
        routes.addAll(
                new LocalHostRoutes(
                                own.host(),
                                SystemTime.clock(),
                                configuration.listener().plainOffLoopback())
                        .routes());
        routes.addAll(
                new RetentionRoutes(
                                Stream.of(own, people)
                                        .distinct()
                                        .map(DirectoryAssembly::aged)
                                        .toList(),
                                configuration.retention())
                        .routes());
        var reports = new SyncReports(people.database(), people.schema());
        this.hostSyncStatuses =
                new HostSyncStatusReader(
                        people.database(),
                        reports,
                        directory.acceptor().links()::isLive,
                        () -> pendingResponse.get());
        boolean isHub = people.host().kind() == HostKind.HUB;
        this.peers = isHub ? hostSyncStatuses::of : _ -> stopped(people, reports);
        routes.addAll(new SyncRoutes(reports, who -> peers.apply(who)).routes());
    }

    private static RetentionRoutes.AgedDatabase aged(HostProcess process) {
        return new RetentionRoutes.AgedDatabase(
                process.host().kind().stored(),
                process.database(),
                new AuditStore(process.ids(), SystemTime.clock()));
    }

    private static List<PeerSyncStatus> stopped(HostProcess people, SyncReports reports) {
        return HubSyncStatusReader.stopped(
                new Principal.Host(people.host().org(), people.host().id()),
                people.host().keys().hubs(),
                reports);
    }

    /** A hub runs here: of which hosts it awaits an answer. */
    void awaits(Supplier<Map<HostId, PendingResponse>> answers) {
        pendingResponse = answers;
    }

    /** A runner runs here, and no hub: how it stands with its hubs. */
    void joined(Supplier<List<PeerSyncStatus>> hubs) {
        peers = _ -> hubs.get();
    }

    /** How the hub stands with its hosts. */
    HostSyncStatusReader hostSyncStatuses() {
        return hostSyncStatuses;
    }

    /** Of two hosts' agents of one name the one that holds it, as with mail. */
    private static Optional<ApiKeyStore.Subject> agent(
            HostProcess people, EventBus eventBus, Principal who, String nameOrId) {
        AgentStore agents = RunnerAssembly.stores(people, eventBus).agents();
        return people.database()
                .read(
                        snapshot ->
                                agents.byId(snapshot, who, new AgentId(nameOrId))
                                        .or(
                                                () ->
                                                        agents
                                                                .named(snapshot, who, nameOrId)
                                                                .stream()
                                                                .findFirst()))
                .map(found -> new ApiKeyStore.Subject(found.id().value(), found.host().value()));
    }

    public Directory directory() {
        return directory;
    }

    public List<Route> routes() {
        return routes;
    }
}
