package dev.skep.fleet;

import dev.skep.app.assembly.DirectoryAssembly;
import dev.skep.app.assembly.Doors;
import dev.skep.app.assembly.HostProcess;
import dev.skep.app.assembly.HubAssembly;
import dev.skep.app.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.nio.file.Path;
import java.util.List;

/** A hub, put together as the app does. */
final class HubNode implements AutoCloseable {
    final HostProcess process;
    final Tables tables;
    final String url;
    private final Lifecycle lifecycle = new Lifecycle();

    private HubNode(Configuration configuration) {
        process =
                HostProcess.open(lifecycle, configuration.database(), configuration, HostKind.HUB);
        tables = new Tables(process);
        Events events = new Events();
        var people = new DirectoryAssembly(lifecycle, configuration, process, process, events);
        var hub = new HubAssembly(lifecycle, configuration, process, people, events);
        Doors doors =
                Doors.open(
                        lifecycle,
                        configuration,
                        configuration.listener(),
                        people,
                        List.of(),
                        hub.mounts());
        hub.sayGoodbyeFirst(lifecycle);
        url = doors.localUrl();
    }

    static HubNode open(Path dataDir, int port) {
        return new HubNode(Settings.hub(dataDir, port, ""));
    }

    static HubNode open(Path dataDir, int port, String database) {
        return new HubNode(Settings.hub(dataDir, port, database));
    }

    int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
