package dev.skep.app.assembly;

import dev.skep.app.adapter.AgentFileJobs;
import dev.skep.app.adapter.AgentJob;
import dev.skep.app.adapter.BudgetHubsFile;
import dev.skep.app.adapter.BudgetTask;
import dev.skep.app.adapter.LocalAgentControls;
import dev.skep.app.adapter.LocalAgentFiles;
import dev.skep.app.adapter.LocalAgentHolds;
import dev.skep.app.adapter.LocalApprovalSource;
import dev.skep.app.adapter.NodeRemovalJob;
import dev.skep.app.adapter.SecretJob;
import dev.skep.app.adapter.SteeringJob;
import dev.skep.app.retention.RetentionAssembly;
import dev.skep.app.retention.RetentionModule;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.identity.Principal;
import dev.skep.registry.module.RegistryModule;
import dev.skep.registry.service.NodeList;
import dev.skep.runner.AgentService;
import dev.skep.runner.Runner;
import dev.skep.runner.module.PromptModule;
import dev.skep.runner.module.RunnerModule;
import dev.skep.runner.terminal.Terminal;
import dev.skep.shell.BashShells;
import dev.skep.store.news.TableChangeNotifier;
import dev.skep.supervisor.SupervisorModule;
import dev.skep.supervisor.feature.RunnerLinkSource;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.module.RunnerSyncModule;
import dev.skep.sync.sql.SyncReports;
import dev.skep.worker.HostJobs;
import dev.skep.worker.WorkerModule;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The runner of a process: its agents, the nodes of this machine, and links to its hubs. */
final class RunnerModules {
    private final ProcessContext around;
    private final HostProcess process;
    private final SyncSchema schema;
    private final RunnerModule agents;
    private final RegistryModule registry;
    private final WorkerModule worker;
    private final RunnerSyncModule links;
    private final RetentionModule retention;
    private final PromptModule prompt;

    /**
     * Opens them, in the order of their dependencies.
     *
     * @param ownHub where there is a hub in the same process, creates an enrolment code for this
     *     runner
     */
    RunnerModules(
            ProcessContext around,
            HostProcess process,
            EventBus eventBus,
            Optional<Supplier<String>> ownHub,
            Terminal terminal) {
        this.around = around;
        this.process = process;
        this.schema = SyncSchema.of(process.tables());
        Configuration configuration = around.configuration();
        BashShells shells =
                BashShells.isolated(configuration.agents().environment(), new SecureRandom());
        this.agents =
                around.opened(
                        new RunnerModule(
                                process,
                                eventBus,
                                ModuleConfigs.runner(configuration),
                                configuration.agents()::environment,
                                shells,
                                terminal,
                                around.version(),
                                configuration.links().hubs().isEmpty()
                                        && process.host().keys().hubs().isEmpty()));
        this.registry =
                around.opened(
                        RegistryModule.ofHost(
                                process, ModuleConfigs.registry(around), around.meters()));
        BudgetTask budgets =
                around.lifecycle()
                        .start(
                                "budgets",
                                new BudgetTask(
                                        agents.runner().leases(),
                                        process.host().awaited(),
                                        new BudgetHubsFile(
                                                around.configuration()
                                                        .dataDir()
                                                        .resolve("budget-hubs"))));
        this.worker = WorkerModule.of(process.host(), jobs(shells), List.of(budgets));
        this.links =
                around.opened(
                        new RunnerSyncModule(
                                process,
                                schema,
                                eventBus,
                                ModuleConfigs.links(configuration),
                                ownHub,
                                List.of(worker, registry)));
        links.onHeals(agents.runner().heals());
        // Notified that a hub was left after its links are gone.
        around.opened(worker);
        Path dataDir = configuration.dataDir();
        this.retention =
                new RetentionModule(
                        "retention",
                        RetentionAssembly.of(
                                process,
                                configuration.retention(),
                                links.retention(),
                                links::hubs,
                                registry.options().lifetime(),
                                Optional.empty(),
                                Optional.empty(),
                                new SizeLimitPurges(),
                                process.clock()),
                        List.of(dataDir.resolve("servers"), dataDir.resolve("logs")));
        this.prompt =
                new PromptModule(
                        terminal, agents.runner().agentService(), process.host().principal());
    }

    private HostJobs jobs(BashShells ofAgents) {
        Configuration configuration = around.configuration();
        Runner runner = agents.runner();
        Principal self = process.host().principal();
        // Behind the same walls as agents, unless their host wants none.
        BashShells shells =
                configuration.jobs().asRunner()
                        ? BashShells.trusted(
                                configuration.agents().environment(), new SecureRandom())
                        : ofAgents;
        return new HostJobs(
                new HostJobs.Config(
                        around.version(),
                        configuration.dataDir(),
                        configuration.jobs().atOnce(),
                        runner.agentService().runtimes()::installed),
                shells,
                List.of(
                        new AgentJob(runner, self),
                        new SteeringJob(runner.agentService(), self),
                        new AgentFileJobs(runner.agentService()),
                        new SecretJob(runner.secrets()),
                        new NodeRemovalJob(() -> registry.of(process.host().org()), self)),
                new LocalAgentHolds(runner, process.clock()),
                runner.redactor(),
                process.clock());
    }

    /** In the order they start. */
    List<FeatureModule> all() {
        return List.of(registry, agents, links, retention, worker, prompt);
    }

    RegistryModule registry() {
        return registry;
    }

    SupervisorModule supervisor(Directory directory, NodeList nodes) {
        TableChangeNotifier tableChangeNotifier =
                around.lifecycle()
                        .start(
                                "news",
                                new TableChangeNotifier(process.database(), process.ids().next()));
        AgentService agentService = agents.runner().agentService();
        SupervisorModule supervisor =
                SupervisorModule.ofRunner(
                        process,
                        directory,
                        new LocalApprovalSource(agentService),
                        new LocalAgentControls(agentService),
                        new LocalAgentFiles(
                                agentService,
                                process.database(),
                                process.host(),
                                directory.audit()),
                        new RunnerLinkSource(
                                links::syncStatuses, new SyncReports(process.database(), schema)),
                        nodes,
                        tableChangeNotifier,
                        around.version());
        links.onMoved(supervisor::linksMoved);
        return supervisor;
    }
}
