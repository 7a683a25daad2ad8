package dev.skep.app.assembly;

import dev.skep.app.retention.RetentionRoutes;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.assembly.DirectoryModule;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.supervisor.SupervisorModule;
import dev.skep.supervisor.SupervisorModule.Monitored;
import dev.skep.sync.module.StoppedSync;
import dev.skep.transport.route.Route;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code skep supervisor}: pages over the database of another process, which is only read. People
 * sign in here, by a directory of this process's own.
 */
public final class SupervisorService {
    private final Configuration configuration;
    private final Lifecycle lifecycle;

    /**
     * In a folder of the data dir, so that a hub or runner that lives there is not disturbed.
     *
     * @param configuration as given; its database is not looked at
     */
    public SupervisorService(Configuration configuration, Lifecycle lifecycle) {
        this.configuration = configuration.in(configuration.dataDir().resolve("supervisor"));
        this.lifecycle = lifecycle;
    }

    /** Starts it and returns where it is, one line each. A failure closes what was open. */
    public List<String> start(DatabaseUrl url, Monitored monitored, Path home, String version) {
        var around = new ProcessContext(lifecycle, configuration, home, version);
        return around.open(() -> open(around, url, monitored));
    }

    private List<String> open(ProcessContext around, DatabaseUrl url, Monitored monitored) {
        Database database = lifecycle.own("monitored database", Databases.openReadOnly(url));
        HostProcess own =
                HostDatabases.open(
                        lifecycle,
                        new DatabaseUrl.Sqlite(configuration.dataDir().resolve("supervisor.db")),
                        configuration,
                        HostKind.HUB);
        DirectoryModule people =
                around.opened(DirectoryAssembly.of(configuration, own, own.host(), new EventBus()));
        Directory directory = people.directory();
        var tableChangeNotifier =
                lifecycle.start("news", new TableChangeNotifier(database, own.ids().next()));
        SupervisorModule supervisor =
                around.opened(
                        SupervisorModule.reading(
                                database, monitored, own, directory, tableChangeNotifier));
        List<Route> more =
                new ArrayList<>(RetentionRoutes.of(configuration.retention(), own).routes());
        more.addAll(StoppedSync.routes(own, directory.acceptor().links()));
        var acceptors =
                new ProcessAcceptors(
                        around, directory, List.of(people, supervisor), more, List.of(own));
        supervisor.start(lifecycle, acceptors.open());
        List<String> lines = new ArrayList<>(List.of("reading " + database.name()));
        lines.addAll(acceptors.describe(true));
        return lines;
    }
}
