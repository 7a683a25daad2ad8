package dev.skep.fleet;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.nio.file.Path;
import java.util.List;

/** A hub in this process. */
final class HubNode implements AutoCloseable {
    final HostProcess process;
    final FleetRows fleetRows;
    final String url;
    private final Lifecycle lifecycle = new Lifecycle();

    private HubNode(Configuration configuration, boolean pages) {
        Assembly.Opened opened =
                new Assembly(configuration, lifecycle, configuration.dataDir(), "test")
                        .open(Composition.hubOnly(pages), Terminal.none());
        process = opened.main();
        fleetRows = new FleetRows(process);
        url = opened.url();
    }

    static HubNode open(Path dataDir, int port) {
        return new HubNode(TestSettings.hub(dataDir, port, ""), false);
    }

    static HubNode open(Path dataDir, int port, String database) {
        return new HubNode(TestSettings.hub(dataDir, port, database), false);
    }

    /** A hub behind a balancer, which was told where that is. */
    static HubNode behind(String name, Path dataDir, int port) {
        return new HubNode(TestSettings.hubBehind(name, dataDir, port), false);
    }

    /** A hub with pages that joins others. */
    static HubNode joining(Path dataDir, int port, String name, String... hubs) {
        return new HubNode(
                TestSettings.hubAt(
                        dataDir, port, name, "file:" + dataDir.resolve("hub.db"), List.of(hubs)),
                true);
    }

    /** One of several processes of a hub that joins others. */
    static HubNode joiningOn(String database, Path dataDir, String name, String... hubs) {
        return new HubNode(TestSettings.hubAt(dataDir, 0, name, database, List.of(hubs)), false);
    }

    int port() {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
