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
import java.io.BufferedReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A runner alone: its database, its agents, and a listener for the command line. */
public final class RunAssembly {
    private final Configuration configuration;
    private final Lifecycle lifecycle;

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
            var events = new Events();
            lifecycle.start("terminal", stream);
            Runner runner =
                    RunnerAssembly.runner(lifecycle, configuration, process, events, stream);
            var people =
                    new DirectoryAssembly(lifecycle, configuration, process, process, events);
            Doors doors =
                    Doors.open(
                            lifecycle,
                            configuration,
                            people,
                            RunnerAssembly.routes(runner.desk()),
                            Listener.Mounts.NONE);
            lifecycle.start("runner", runner);
            typed.ifPresent(in -> lifecycle.start("prompt", prompt(in, runner, process, stream)));
            return told(runner, doors, first);
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private Prompt prompt(BufferedReader in, Runner runner, HostProcess process, Stream stream) {
        return new Prompt(
                in, runner.desk(), process.host().principal(), stream, lifecycle::close);
    }

    private List<String> told(Runner runner, Doors doors, boolean first) {
        List<String> lines = new ArrayList<>();
        lines.add("data dir " + configuration.dataDir());
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
