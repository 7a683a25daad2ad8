package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.runner.AgentService;
import dev.skep.runner.Runner;
import dev.skep.runner.RunnerConfig;
import dev.skep.runner.RunnerStores;
import dev.skep.runner.api.ActivityRoutes;
import dev.skep.runner.api.AgentRoutes;
import dev.skep.runner.api.ApprovalRoutes;
import dev.skep.runner.api.MailRoutes;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.BashShells;
import dev.skep.shell.Shells;
import dev.skep.transport.route.Route;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Makes the runner of a host process out of its configuration. */
public final class RunnerAssembly {
    private RunnerAssembly() {}

    /** A runner that is made and not yet started. */
    public static Runner runner(
            Lifecycle lifecycle,
            Configuration configuration,
            HostProcess process,
            EventBus eventBus,
            Shells shells,
            AgentListener agentListener) {
        InstantSource clock = SystemTime.clock();
        var random = new SecureRandom();
        var models =
                lifecycle.own(
                        "models",
                        new ConfiguredModels(
                                () ->
                                        ModelTable.read(
                                                configuration.dataDir().resolve("models.yaml")),
                                name ->
                                        Optional.ofNullable(
                                                configuration.agents().environment().get(name)),
                                clock));
        return new Runner(
                config(configuration),
                new Runner.Parts(
                        process.database(),
                        process.host(),
                        process.ids(),
                        clock,
                        random,
                        eventBus,
                        models,
                        shells,
                        agentListener));
    }

    /** The shells of agents, behind whose walls jobs and servers run too. */
    static BashShells shells(Configuration configuration) {
        return BashShells.isolated(configuration.agents().environment(), new SecureRandom());
    }

    /** What jobs and servers run behind: the same walls, unless their host wants none. */
    static BashShells jobShells(Configuration configuration, BashShells ofAgents) {
        return configuration.jobs().asRunner()
                ? BashShells.trusted(configuration.agents().environment(), new SecureRandom())
                : ofAgents;
    }

    /** The desk of a runner that does not run. */
    public static AgentService stoppedDesk(
            Configuration configuration, HostProcess process, EventBus eventBus) {
        InstantSource clock = SystemTime.clock();
        return AgentService.stopped(
                config(configuration),
                process.database(),
                stores(process, eventBus),
                process.host(),
                process.ids(),
                clock);
    }

    /** The agents' tables of any database. */
    static RunnerStores stores(HostProcess process, EventBus eventBus) {
        return RunnerStores.over(
                process.database(),
                process.host().ownRowWriter(),
                process.ids(),
                SystemTime.clock(),
                eventBus);
    }

    private static RunnerConfig config(Configuration configuration) {
        return new RunnerConfig(
                configuration.dataDir(),
                configuration.agents().environment(),
                configuration.agents().totalLimit().orElse(null),
                configuration.agents().waitForHubs());
    }

    public static List<Route> routes(AgentService agentService) {
        return Stream.of(
                        new AgentRoutes(agentService),
                        new MailRoutes(agentService),
                        new ActivityRoutes(agentService.stores()),
                        new ApprovalRoutes(agentService))
                .map(Route.Source::routes)
                .flatMap(List::stream)
                .toList();
    }
}
