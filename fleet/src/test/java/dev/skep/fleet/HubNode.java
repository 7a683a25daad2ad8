package dev.skep.fleet;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.HostProcess;
import dev.skep.app.assembly.Terminal;
import dev.skep.app.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.nio.file.Path;

/** A hub in this process. */
final class HubNode implements AutoCloseable {
    final HostProcess process;
    final Tables tables;
    final String url;
    private final Lifecycle lifecycle = new Lifecycle();

    private HubNode(Configuration configuration) {
        Assembly.Opened opened =
                new Assembly(configuration, lifecycle, configuration.dataDir(), "test")
                        .open(Composition.hubOnly(false), Terminal.none());
        process = opened.main();
        tables = new Tables(process);
        url = opened.url();
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
