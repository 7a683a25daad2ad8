package dev.skep.app.assembly;

import dev.skep.agents.AgentStore;
import dev.skep.app.config.Configuration;
import dev.skep.app.config.Secret;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.key.KeyStore;
import dev.skep.directory.routes.LocalHostRoutes;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.routes.SyncRoutes;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The directory people and hosts are looked up in, and the routes to it. */
public final class DirectoryAssembly {
    private final Directory directory;
    private final List<Route> routes = new ArrayList<>();

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
            Events events) {
        directory =
                lifecycle.own(
                        "directory",
                        new Directory(
                                people.database(),
                                people.host(),
                                events,
                                new Directory.Sources(
                                        people.ids(),
                                        SystemTime.clock(),
                                        System::nanoTime,
                                        new SecureRandom()),
                                new Directory.Config(
                                        configuration.links().accessKey().map(Secret::value),
                                        Runtime.getRuntime().availableProcessors(),
                                        (who, agent) -> agent(people, events, who, agent))));
        routes.addAll(directory.routes());
        routes.addAll(
                new LocalHostRoutes(
                                own.host(),
                                SystemTime.clock(),
                                configuration.listener().plainOffLoopback())
                        .routes());
        routes.addAll(new SyncRoutes(new SyncReports(people.database(), people.schema())).routes());
    }

    /** Of two hosts' agents of one name the one that holds it, as with mail. */
    private static Optional<KeyStore.Subject> agent(
            HostProcess people, Events events, Principal who, String nameOrId) {
        AgentStore agents = RunnerAssembly.stores(people, events).agents();
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
                .map(found -> new KeyStore.Subject(found.id().value(), found.host().value()));
    }

    public Directory directory() {
        return directory;
    }

    public List<Route> routes() {
        return routes;
    }
}
