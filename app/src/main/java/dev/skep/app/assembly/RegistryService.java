package dev.skep.app.assembly;

import dev.skep.cli.admin.AdminFile;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.RegistryOptions;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.service.NodeList;
import dev.skep.registry.table.NodeListStore;
import dev.skep.shell.redact.Redactor;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.worker.HostMetrics;
import dev.skep.worker.HostSlots;
import dev.skep.worker.HubWorkers;
import dev.skep.worker.JobWorker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code skep registry}: a registry with a listener of its own, on this machine's database. */
public final class RegistryService {
    /** Nothing else here opens much. */
    private static final double PART = 0.75;

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
        var around = new ProcessContext(lifecycle, configuration, home, version);
        return keep
                ? around.open(() -> open(around, true))
                : around.openWithoutFolder(() -> open(around, false));
    }

    private List<String> open(ProcessContext around, boolean keep) {
        HostProcess process =
                keep
                        ? HostProcess.open(
                                lifecycle,
                                HostProcess.runnerDatabase(configuration),
                                configuration,
                                HostKind.RUNNER)
                        : HostProcess.inMemory(lifecycle, configuration, HostKind.RUNNER);
        OrgRegistries orgRegistries = OrgRegistries.alone(around, process, options);
        // What is forgotten at the end would be another host at every start.
        HubWorkers jobs = jobs(around.version(), process, orgRegistries);
        Optional<LinkAssembly> links =
                keep ? Optional.of(links(process, orgRegistries, jobs)) : Optional.empty();
        String secret = new SecretGenerator(new SecureRandom()).key("admin");
        Listener listener =
                RegistryListener.open(
                        around,
                        options,
                        orgRegistries,
                        inside(around, process, orgRegistries, links, secret),
                        "--port",
                        PART);
        if (keep) {
            var address = new AdminFile.Address(listener.localUrl(), listener.url(), secret);
            lifecycle.own("admin file", AdminFile.write(configuration.dataDir(), address));
        }
        orgRegistries.awaitLoaded();
        links.ifPresent(
                joined -> {
                    joined.start(lifecycle);
                    lifecycle.start("retention", joined.retention(options.lifetime()));
                    lifecycle.start("jobs", jobs);
                });
        return told(listener, process, around.home(), links.isPresent());
    }

    /** Its nodes are of the fleet's roster where this host is in a fleet. */
    private LinkAssembly links(HostProcess process, OrgRegistries orgRegistries, HubWorkers jobs) {
        return new LinkAssembly(
                lifecycle,
                configuration,
                process,
                new EventBus(),
                (hub, consent, client) -> {
                    HubWorkers.HubWork work = jobs.workFor(hub, consent, client);
                    return new LinkAssembly.HubLinkListener.AddedProtocols(
                            List.of(work.calls(), orgRegistries.sessions(consent)),
                            () -> jobs.workNoMore(work.worker()));
                });
    }

    /** The one thing people at a hub can ask of it: only this host forgets its nodes. */
    private HubWorkers jobs(String version, HostProcess process, OrgRegistries orgRegistries) {
        var workers =
                new HubWorkers(
                        new JobWorker.Parts(
                                version,
                                List.of(
                                        new NodeRemovalJob(
                                                () -> orgRegistries.of(process.host().org()),
                                                process.host().principal())),
                                new HostSlots(1),
                                new HostMetrics(configuration.dataDir()),
                                hub -> Map.of(),
                                new Redactor(List.of())));
        process.host().keys().onHubs(workers::beatSoon);
        return workers;
    }

    /**
     * What the command line asks of this data dir; beside health, nobody else is told anything:
     * people and hosts are let in where there is a runner or a hub.
     */
    private Router inside(
            ProcessContext around,
            HostProcess process,
            OrgRegistries orgRegistries,
            Optional<LinkAssembly> links,
            String secret) {
        var people =
                new DirectoryAssembly(lifecycle, configuration, process, process, new EventBus());
        List<Route> routes =
                new ArrayList<>(
                        people.routes().stream()
                                .filter(route -> !route.access().allowsAnonymous())
                                .toList());
        routes.addAll(
                orgRegistries.routes(
                        new NodeList(
                                new NodeListStore(process.database()), orgRegistries::unstored),
                        new NodeRemovals(
                                Map.of(orgRegistries.host(), orgRegistries::of),
                                Optional.empty(),
                                Optional.empty())));
        links.ifPresent(joined -> routes.addAll(joined.routes()));
        routes.addAll(new HealthRoutes(around.meters(), orgRegistries.checks()).routes());
        return new Router(
                new RouteTable(routes), people.directory().authentication(Optional.of(secret)));
    }

    private List<String> told(Listener listener, HostProcess process, Path home, boolean joins) {
        List<String> lines = new ArrayList<>();
        lines.add("Hypivisor online: " + listener.url().replaceFirst("^http", "ws") + "/ws");
        lines.add("database " + process.database().name());
        if (configuration.registry().token().isEmpty()) {
            lines.add("open to this machine only; set HYPI_TOKEN to ask for a token");
        }
        if (!joins && !configuration.links().hubs().isEmpty()) {
            lines.add("joins no hub: what keeps nothing would be another host at every start");
        }
        Path old = home.resolve(".hyper-pi").resolve("state").resolve("hyper-pi.db");
        if (Files.exists(old)) {
            lines.add("found an older registry; take it over with: skep registry import " + old);
        }
        return lines;
    }
}
