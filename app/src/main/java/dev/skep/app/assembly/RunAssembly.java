package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.log.Logs;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.Runner;
import dev.skep.runner.demo.FirstAgents;
import dev.skep.runner.terminal.Prompt;
import dev.skep.runner.terminal.Stream;
import dev.skep.transport.http.Listener;
import dev.skep.transport.route.Route;
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A runner alone: its database, its agents, and a listener for the command line. */
public final class RunAssembly {
    private final Configuration configuration;
    private final Lifecycle lifecycle;
    private final Events events = new Events();

    public RunAssembly(Configuration configuration, Lifecycle lifecycle) {
        this.configuration = configuration;
        this.lifecycle = lifecycle;
    }

    /**
     * Opens everything {@code skep run} runs.
     *
     * @param typed what a person types, or empty for a service
     */
    public List<String> open(Stream stream, Optional<BufferedReader> typed) {
        try {
            DataDir.prepare(configuration.dataDir());
            lifecycle.own("logs", Logs.open(configuration.dataDir()));
            boolean first = FirstAgents.writeIfNew(configuration.dataDir().resolve("agents"));
            HostProcess process =
                    HostProcess.open(
                            lifecycle,
                            HostProcess.runnerDatabase(configuration),
                            configuration,
                            HostKind.RUNNER);
            lifecycle.start("terminal", stream);
            Runner runner =
                    RunnerAssembly.runner(lifecycle, configuration, process, events, stream);
            var people = new DirectoryAssembly(lifecycle, configuration, process, process, events);
            var links = new LinkAssembly(lifecycle, configuration, process);
            Doors doors =
                    Doors.open(
                            lifecycle,
                            configuration,
                            configuration.listener(),
                            people,
                            routes(runner, links),
                            Listener.Mounts.NONE);
            lifecycle.start("runner", runner);
            links.start(lifecycle);
            typed.ifPresent(
                    in ->
                            lifecycle.start(
                                    "prompt",
                                    new Prompt(
                                            in,
                                            runner.desk(),
                                            process.host().principal(),
                                            stream,
                                            lifecycle::close)));
            return told(process, runner, doors, first);
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private static List<Route> routes(Runner runner, LinkAssembly links) {
        List<Route> routes = new ArrayList<>(RunnerAssembly.routes(runner.desk()));
        routes.addAll(links.routes());
        return routes;
    }

    private List<String> told(HostProcess process, Runner runner, Doors doors, boolean first) {
        List<String> lines = new ArrayList<>();
        lines.add("data dir " + configuration.dataDir() + ", host " + process.host().name());
        lines.addAll(doors.told());
        lines.add(runner.agents().size() + " agents");
        if (first) {
            lines.add(
                    "alice and bob are scripted and need no key; 'skep agents new' makes your own");
        }
        runner.problems().forEach(problem -> lines.add("agents/" + problem));
        return lines;
    }
}
