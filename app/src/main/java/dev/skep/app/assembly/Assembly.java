package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.log.Logs;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.DatabaseUrl;
import java.util.List;

/**
 * Composes the modules into a process: each component is made here from its configuration, started
 * in order and closed in reverse by the {@link Lifecycle}.
 */
public final class Assembly {
    private final Configuration configuration;
    private final Lifecycle lifecycle;

    public Assembly(Configuration configuration, Lifecycle lifecycle) {
        this.configuration = configuration;
        this.lifecycle = lifecycle;
    }

    /**
     * Opens everything {@code skep up} runs and tells what it opened, one line each. A failure
     * closes what was open.
     */
    public List<String> up() {
        try {
            DataDir.prepare(configuration.dataDir());
            lifecycle.own("logs", Logs.open(configuration.dataDir()));
            HostProcess runner =
                    open(
                            new DatabaseUrl.Sqlite(configuration.dataDir().resolve("runner.db")),
                            HostKind.RUNNER);
            HostProcess hub = open(configuration.database(), HostKind.HUB);
            // What stands on them follows here: listener, hub, runner, supervisor.
            return List.of(
                    "data dir " + configuration.dataDir(),
                    told(runner),
                    told(hub),
                    "nothing runs on them yet: hub, runner and supervisor are still to come");
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private HostProcess open(DatabaseUrl url, HostKind kind) {
        String name = configuration.host().hostname();
        return HostProcess.open(lifecycle, url, configuration.dataDir(), kind, name);
    }

    private static String told(HostProcess process) {
        return process.host().kind().stored()
                + " database "
                + process.database().name()
                + ", host "
                + process.host().id();
    }
}
