package dev.skep.app.assembly;

import dev.skep.agents.Agent;
import dev.skep.app.config.Configuration;
import dev.skep.app.config.Secret;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.routes.LocalHostRoutes;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.sync.routes.SyncRoutes;
import dev.skep.sync.sql.SyncReports;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

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
                                        (who, agent) ->
                                                RunnerAssembly.stores(people, events)
                                                        .agents()
                                                        .byId(who, new AgentId(agent))
                                                        .map(Agent::host))));
        routes.addAll(directory.routes());
        routes.addAll(
                new LocalHostRoutes(
                                own.host(),
                                SystemTime.clock(),
                                configuration.listener().plainOffLoopback())
                        .routes());
        routes.addAll(new SyncRoutes(new SyncReports(people.database(), people.schema())).routes());
    }

    public Directory directory() {
        return directory;
    }

    public List<Route> routes() {
        return routes;
    }
}
