package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.RegistryOptions;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.http.Listener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code skep registry}: a registry with a listener of its own, on this machine's database. */
public final class RegistryService {
    private final Configuration configuration;
    private final RegistryOptions options;
    private final Lifecycle lifecycle;

    public RegistryService(
            Configuration configuration, RegistryOptions options, Lifecycle lifecycle) {
        this.configuration = configuration;
        this.options = options;
        this.lifecycle = lifecycle;
    }

    /**
     * Starts it and tells where it is, one line each. A failure closes what was open.
     *
     * @param keep false to forget everything at the end
     */
    public List<String> start(Path home, boolean keep, String version) {
        var around = new Surroundings(lifecycle, configuration, home, version);
        return around.open(() -> open(around, keep));
    }

    private List<String> open(Surroundings around, boolean keep) {
        HostProcess process = keep ? kept() : forgotten();
        RegistryHouse house = RegistryHouse.alone(around, process, options);
        Listener listener = RegistryListener.open(around, options, house, "--port");
        house.awaitLoaded();
        return told(listener, process, around.home());
    }

    private HostProcess kept() {
        return open(configuration.dataDir());
    }

    private HostProcess forgotten() {
        return open(lifecycle.own("temporary folder", new TemporaryFolder()).path());
    }

    private HostProcess open(Path folder) {
        return HostProcess.open(
                lifecycle,
                new DatabaseUrl.Sqlite(folder.resolve("runner.db")),
                folder,
                HostKind.RUNNER,
                configuration.host().hostname());
    }

    private List<String> told(Listener listener, HostProcess process, Path home) {
        List<String> lines = new ArrayList<>();
        lines.add("Hypivisor online: " + listener.url().replaceFirst("^http", "ws") + "/ws");
        lines.add("database " + process.database().name());
        if (configuration.registry().token().isEmpty()) {
            lines.add("open to this machine only; set HYPI_TOKEN to ask for a token");
        }
        Path old = home.resolve(".hyper-pi").resolve("state").resolve("hyper-pi.db");
        if (Files.exists(old)) {
            lines.add("found an older registry; take it over with: skep registry import " + old);
        }
        return lines;
    }
}
