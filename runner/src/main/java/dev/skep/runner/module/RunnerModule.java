package dev.skep.runner.module;

import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.runner.AgentService;
import dev.skep.runner.Runner;
import dev.skep.runner.RunnerConfig;
import dev.skep.runner.RunnerStores;
import dev.skep.runner.api.ActivityRoutes;
import dev.skep.runner.api.AgentHoldRoutes;
import dev.skep.runner.api.AgentRoutes;
import dev.skep.runner.api.ApprovalRoutes;
import dev.skep.runner.api.MailRoutes;
import dev.skep.runner.api.ManyAgentsRoutes;
import dev.skep.runner.api.OwnFileRoutes;
import dev.skep.runner.api.RuntimeRoutes;
import dev.skep.runner.api.SingleOrgRoutes;
import dev.skep.runner.api.WorkspaceRoutes;
import dev.skep.runner.demo.FirstAgents;
import dev.skep.runner.terminal.Terminal;
import dev.skep.shell.Shells;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The agents of this host, their API and what the terminal shows of them. */
public final class RunnerModule implements FeatureModule {
    private final HostProcess process;
    private final Terminal terminal;
    private final boolean first;
    private final ConfiguredModels models;
    private final Runner runner;

    /**
     * Made and not yet open. A host that is alone and has no agents gets its first.
     *
     * @param alone where others are, their alice and bob have the names already
     * @param environment reads where models' keys are as it is now
     */
    public RunnerModule(
            HostProcess process,
            EventBus eventBus,
            RunnerConfig config,
            Supplier<Map<String, String>> environment,
            Shells shells,
            Terminal terminal,
            String version,
            boolean alone) {
        this.process = process;
        this.terminal = terminal;
        this.first = alone && FirstAgents.writeIfNew(config.agentsFolder());
        this.models =
                new ConfiguredModels(
                        () -> ModelTable.read(config.dataDir().resolve("models.yaml")),
                        name -> Optional.ofNullable(environment.get().get(name)),
                        process.clock());
        this.runner =
                new Runner(
                        config,
                        new Runner.Parts(
                                process.database(),
                                process.host(),
                                process.ids(),
                                process.clock(),
                                new SecureRandom(),
                                eventBus,
                                models,
                                shells,
                                terminal.stream(),
                                models,
                                version));
    }

    @Override
    public void open(Lifecycle lifecycle) {
        lifecycle.own("terminal", terminal.stream());
        lifecycle.own("models", models);
    }

    @Override
    public List<Route> routes() {
        return SingleOrgRoutes.only(process.host().org(), routes(runner.agentService()));
    }

    /** The API of agents, running or not. */
    public static List<Route> routes(AgentService agentService) {
        return Stream.of(
                        new AgentRoutes(agentService),
                        new AgentHoldRoutes(agentService),
                        new ManyAgentsRoutes(agentService),
                        new OwnFileRoutes(agentService),
                        new RuntimeRoutes(agentService),
                        new MailRoutes(agentService),
                        new ActivityRoutes(agentService.stores()),
                        new ApprovalRoutes(agentService),
                        new WorkspaceRoutes(agentService))
                .map(Route.Source::routes)
                .flatMap(List::stream)
                .toList();
    }

    /** The agents of a host whose runner does not run. */
    public static AgentService stopped(HostProcess process, RunnerConfig config) {
        return AgentService.stopped(
                config,
                process.database(),
                stores(process),
                process.host(),
                process.ids(),
                process.clock());
    }

    /** The agents' tables of any database. */
    public static RunnerStores stores(HostProcess process) {
        return RunnerStores.over(
                process.database(), process.host().ownRowWriter(), process.ids(), process.clock());
    }

    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        lifecycle.start("runner", runner);
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(runner.waitsForLong().orElseGet(() -> howMany(runner.agents().size())));
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

    public Runner runner() {
        return runner;
    }
}
