package dev.skep.fleet;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.nio.file.Path;
import java.util.Map;

/** A runner with agents, as a user starts it. */
final class AgentHost implements AutoCloseable {
    final Configuration configuration;
    final Assembly.Opened opened;
    final FleetRows fleetRows;
    private final Lifecycle lifecycle = new Lifecycle();

    AgentHost(Path dataDir, Map<String, String> more) {
        configuration = TestSettings.runnerOf(dataDir, more);
        opened =
                new Assembly(configuration, lifecycle, dataDir, "test")
                        .open(Composition.run(false, false), Terminal.none());
        fleetRows = new FleetRows(opened.main());
    }

    @Override
    public void close() {
        lifecycle.close();
    }
}
