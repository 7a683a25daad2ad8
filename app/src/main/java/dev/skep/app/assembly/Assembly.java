package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.log.Logs;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.route.Route;
import java.util.ArrayList;
import java.util.List;

/**
 * Composes the modules into a process: each component is made here from its configuration, started
 * in order and closed in reverse by the {@link Lifecycle}.
 */
public final class Assembly {
    private final Configuration configuration;
    private final Lifecycle lifecycle;
    private final Events events = new Events();
    private final List<String> told = new ArrayList<>();

    public Assembly(Configuration configuration, Lifecycle lifecycle) {
        this.configuration = configuration;
        this.lifecycle = lifecycle;
    }

    /**
     * Opens everything {@code skep up} runs and tells what it opened, one line each. A failure
     * closes what was open.
     */
    public List<String> up() {
        return opened(
                () -> {
                    HostProcess runner =
                            open(HostProcess.runnerDatabase(configuration), HostKind.RUNNER);
                    HostProcess hub = open(configuration.database(), HostKind.HUB);
                    var people =
                            new DirectoryAssembly(lifecycle, configuration, hub, runner, events);
                    var links = new HubAssembly(lifecycle, configuration, hub, people, events);
                    var runs = new LinkAssembly(lifecycle, configuration, runner);
                    List<Route> routes = new ArrayList<>(links.routes());
                    routes.addAll(runs.routes());
                    var pages = SupervisorAssembly.ofHub(hub, people, events);
                    routes.addAll(pages.routes());
                    Doors doors =
                            doors(
                                    configuration.listener(),
                                    people,
                                    routes,
                                    SupervisorAssembly.with(links.mounts()));
                    pages.start(lifecycle);
                    links.sayGoodbyeFirst(lifecycle);
                    runs.connectOwn(doors.localUrl(), links::pairingCode);
                    runs.start(lifecycle);
                });
    }

    /** Opens a hub without a runner. */
    public List<String> hub() {
        return opened(
                () -> {
                    HostProcess hub = open(configuration.database(), HostKind.HUB);
                    var people = new DirectoryAssembly(lifecycle, configuration, hub, hub, events);
                    var links = new HubAssembly(lifecycle, configuration, hub, people, events);
                    doors(configuration.listener(), people, links.routes(), links.mounts());
                    links.sayGoodbyeFirst(lifecycle);
                });
    }

    private List<String> opened(Runnable opening) {
        try {
            DataDir.prepare(configuration.dataDir());
            lifecycle.own("logs", Logs.open(configuration.dataDir()));
            told.add("data dir " + configuration.dataDir());
            opening.run();
            return told;
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private Doors doors(
            ListenerConfig listening,
            DirectoryAssembly people,
            List<Route> routes,
            Listener.Mounts mounts) {
        Doors doors = Doors.open(lifecycle, configuration, listening, people, routes, mounts);
        told.addAll(doors.told());
        return doors;
    }

    private HostProcess open(DatabaseUrl url, HostKind kind) {
        HostProcess process = HostProcess.open(lifecycle, url, configuration, kind);
        told.add(
                "%s database %s, host %s"
                        .formatted(kind.stored(), process.database().name(), process.host().id()));
        return process;
    }
}
