package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.news.TableChangeNotifier;
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

    /** Whose database it is. */
    public enum Monitored {
        HUB,
        RUNNER
    }

    /**
     * In a folder of the data dir, so that a hub or runner that lives there is not disturbed.
     *
     * @param configuration as given; its database is not looked at
     */
    public SupervisorService(Configuration configuration, Lifecycle lifecycle) {
        this.configuration = configuration.in(configuration.dataDir().resolve("supervisor"));
        this.lifecycle = lifecycle;
    }

    /** Starts it and tells where it is, one line each. A failure closes what was open. */
    public List<String> start(DatabaseUrl url, Monitored monitored, Path home, String version) {
        var around = new ProcessContext(lifecycle, configuration, home, version);
        return around.open(() -> open(around, url, monitored));
    }

    private List<String> open(ProcessContext around, DatabaseUrl url, Monitored monitored) {
        Database database = lifecycle.own("monitored database", Databases.openReadOnly(url));
        HostProcess own =
                HostProcess.open(
                        lifecycle,
                        new DatabaseUrl.Sqlite(configuration.dataDir().resolve("supervisor.db")),
                        configuration,
                        HostKind.HUB);
        var people = new DirectoryAssembly(lifecycle, configuration, own, own, new EventBus());
        var tableChangeNotifier =
                lifecycle.start("news", new TableChangeNotifier(database, own.ids().next()));
        SupervisorAssembly pages =
                SupervisorAssembly.reading(database, monitored, own, people, tableChangeNotifier);
        ProcessAcceptors processAcceptors =
                new ProcessAcceptors(around, people, pages.routes(), List.of(own));
        processAcceptors.mount(SupervisorAssembly.pages());
        processAcceptors.open();
        pages.start(lifecycle);
        List<String> lines = new ArrayList<>(List.of("reading " + database.name()));
        lines.addAll(processAcceptors.describe(true));
        return lines;
    }
}
