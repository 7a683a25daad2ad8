package dev.skep.app.assembly;

import dev.skep.app.retention.LogFileTrimmer;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.service.NodeList;
import dev.skep.runner.Runner;
import dev.skep.runner.demo.FirstAgents;
import dev.skep.runner.terminal.TerminalInput;
import dev.skep.shell.BashShells;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.transport.route.Route;
import dev.skep.worker.HostJobs;
import dev.skep.worker.HubWorkers;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The runner of a process: its agents, the nodes of this machine, and links to its hubs. */
final class RunnerPart {
    private final ProcessContext around;
    private final HostProcess process;
    private final EventBus eventBus;
    private final Terminal terminal;
    private final boolean first;
    private final Runner runner;
    private final OrgRegistries registry;
    private final HostJobs jobs;
    private final LinkAssembly links;

    /**
     * The hub in the same process.
     *
     * @param pairing makes a code that lets this runner in
     */
    record OwnHub(String url, Supplier<String> pairing) {}

    RunnerPart(ProcessContext around, HostProcess process, EventBus eventBus, Terminal terminal) {
        this.around = around;
        this.process = process;
        this.eventBus = eventBus;
        this.terminal = terminal;
        Configuration configuration = around.configuration();
        // Where others are, their alice and bob have the names already.
        boolean alone =
                configuration.links().hubs().isEmpty() && process.host().keys().hubs().isEmpty();
        this.first = alone && FirstAgents.writeIfNew(configuration.dataDir().resolve("agents"));
        around.lifecycle().own("terminal", terminal.stream());
        BashShells shells = RunnerAssembly.shells(configuration);
        this.runner =
                RunnerAssembly.runner(
                        around.lifecycle(),
                        configuration,
                        process,
                        eventBus,
                        shells,
                        terminal.stream());
        this.registry = OrgRegistries.open(around, process, _ -> false, Optional.empty());
        this.jobs =
                new HostJobs(
                        new HostJobs.Config(
                                around.version(),
                                configuration.dataDir(),
                                configuration.jobs().atOnce()),
                        RunnerAssembly.jobShells(configuration, shells),
                        List.of(
                                new AgentJob(runner, process.host().principal()),
                                new SteeringJob(runner.agentService(), process.host().principal()),
                                new NodeRemovalJob(
                                        () -> registry.of(process.host().org()),
                                        process.host().principal())),
                        runner.redactor(),
                        SystemTime.clock());
        this.links =
                new LinkAssembly(
                        around.lifecycle(), configuration, process, eventBus, this::workFor);
        links.onHeals(runner.heals());
        process.host().keys().onHubs(jobs::consentsChanged);
        new ProcessMeter(around.meters()).showLinks("runner", links::open);
        new SyncMeter(around.meters(), SystemTime.clock()).show("runner", links::syncStatuses);
    }

    private LinkAssembly.HubLinkListener.AddedProtocols workFor(
            EnrolledHub hub, HubConsent consent, HttpClient client) {
        HubWorkers.HubWork work = jobs.startWorker(hub, consent, client);
        return new LinkAssembly.HubLinkListener.AddedProtocols(
                List.of(work.calls(), registry.sessions(consent)),
                () -> jobs.stopWorker(work.worker()));
    }

    /** How this runner stands with its hubs. */
    List<PeerSyncStatus> syncStatuses() {
        return links.syncStatuses();
    }

    OrgRegistries registry() {
        return registry;
    }

    SupervisorAssembly supervisor(DirectoryAssembly people, NodeList nodes) {
        TableChangeNotifier tableChangeNotifier =
                around.lifecycle()
                        .start(
                                "news",
                                new TableChangeNotifier(process.database(), process.ids().next()));
        SupervisorAssembly pages =
                SupervisorAssembly.ofRunner(
                        process,
                        people,
                        eventBus,
                        runner.agentService(),
                        links.shown(),
                        nodes,
                        tableChangeNotifier,
                        around.version());
        links.onMoved(pages::linksMoved);
        return pages;
    }

    List<Route> routes() {
        List<Route> routes = new ArrayList<>(RunnerAssembly.routes(runner.agentService()));
        routes.addAll(links.routes());
        return SingleOrgRoutes.only(process.host().org(), routes);
    }

    /** Starts the agents and the links, and tells what a person should know. */
    List<String> start(Optional<OwnHub> own) {
        Lifecycle lifecycle = around.lifecycle();
        lifecycle.start("runner", runner);
        own.ifPresent(hub -> links.connectOwn(hub.url(), hub.pairing()));
        links.start(lifecycle);
        lifecycle.start(
                "retention",
                links.retention(around.configuration().registry().options().lifetime()));
        Path dataDir = around.configuration().dataDir();
        lifecycle.start(
                "long logs",
                new LogFileTrimmer(List.of(dataDir.resolve("servers"), dataDir.resolve("logs"))));
        lifecycle.start("jobs", jobs);
        terminal.typed()
                .ifPresent(
                        in ->
                                lifecycle.start(
                                        "prompt",
                                        new TerminalInput(
                                                in,
                                                runner.agentService(),
                                                process.host().principal(),
                                                terminal.stream(),
                                                lifecycle::close)));
        List<String> lines = new ArrayList<>();
        lines.add(runner.waitsFor().orElseGet(() -> howMany(runner.agents().size())));
        if (first) {
            lines.add(
                    "alice and bob are scripted and need no key; 'skep agents new' makes your own");
        }
        if (terminal.atKeyboard()) {
            lines.add("/help shows what can be typed here");
        }
        runner.problems().forEach(problem -> lines.add("agents/" + problem));
        return lines;
    }

    private static String howMany(int agents) {
        return switch (agents) {
            case 0 -> "no agents yet; 'skep agents new NAME --model MODEL' makes one";
            case 1 -> "1 agent";
            default -> agents + " agents";
        };
    }
}
