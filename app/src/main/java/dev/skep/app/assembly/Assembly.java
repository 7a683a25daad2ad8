package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.log.Logs;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.http.Listener;
import java.util.ArrayList;
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
            HostProcess runner = open(HostProcess.runnerDatabase(configuration), HostKind.RUNNER);
            HostProcess hub = open(configuration.database(), HostKind.HUB);
            var people = new DirectoryAssembly(lifecycle, configuration, hub, runner, new Events());
            // What stands on them follows here: hub, runner, supervisor; then the doors.
            Doors doors =
                    Doors.open(lifecycle, configuration, people, List.of(), Listener.Mounts.NONE);
            List<String> told = new ArrayList<>();
            told.add("data dir " + configuration.dataDir());
            told.add(told(runner));
            told.add(told(hub));
            told.addAll(doors.told());
            return told;
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private HostProcess open(DatabaseUrl url, HostKind kind) {
        return HostProcess.open(lifecycle, url, configuration, kind);
    }

    private static String told(HostProcess process) {
        return process.host().kind().stored()
                + " database "
                + process.database().name()
                + ", host "
                + process.host().id();
    }
}
