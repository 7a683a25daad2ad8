package dev.skep.app.assembly;

import dev.skep.app.config.Configuration;
import dev.skep.app.config.DataDir;
import dev.skep.app.log.Logs;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.Runner;
import dev.skep.runner.demo.FirstAgents;
import dev.skep.runner.terminal.Prompt;
import dev.skep.runner.terminal.Stream;
import dev.skep.store.DatabaseUrl;
import dev.skep.transport.client.Api;
import dev.skep.transport.client.HttpApi;
import dev.skep.transport.client.InProcessApi;
import dev.skep.transport.http.HealthRoutes;
import dev.skep.transport.http.Listener;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.RequestMeter;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.Dispatch;
import dev.skep.transport.route.Route;
import dev.skep.transport.route.RouteTable;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.BufferedReader;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A runner alone: its database, its agents, and a listener for the command line. */
public final class RunAssembly {
    private final Configuration configuration;
    private final Lifecycle lifecycle;
    private final Events events = new Events();
    private final SecureRandom random = new SecureRandom();

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
            HostProcess process = database(lifecycle);
            lifecycle.start("terminal", stream);
            Runner runner =
                    RunnerAssembly.runner(lifecycle, configuration, process, events, stream);
            Listener listener = listen(process, runner);
            lifecycle.start("runner", runner);
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
            return told(process, runner, listener, first);
        } catch (RuntimeException | Error failure) {
            lifecycle.close();
            throw failure;
        }
    }

    private HostProcess database(Lifecycle owner) {
        return HostProcess.open(
                owner,
                new DatabaseUrl.Sqlite(configuration.dataDir().resolve("runner.db")),
                configuration.dataDir(),
                HostKind.RUNNER,
                configuration.host().hostname());
    }

    private Listener listen(HostProcess process, Runner runner) {
        String secret = ControlFile.newSecret(random);
        Directory directory = lifecycle.own("directory", directory(process));
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        List<Route> routes = new ArrayList<>(directory.routes());
        routes.addAll(new HealthRoutes(registry, Map.of()).routes());
        routes.addAll(RunnerAssembly.routes(runner.desk()));
        var dispatch =
                new Dispatch(new RouteTable(routes), directory.authentication(Optional.of(secret)));
        Listener listener =
                lifecycle.start(
                        "listener",
                        new Listener(
                                new ListenerConfig(
                                        configuration.listen().address(),
                                        configuration.listen().port(),
                                        Optional.empty(),
                                        false,
                                        Set.of(),
                                        Set.of(),
                                        RequestLimits.USUAL),
                                dispatch,
                                Listener.Mounts.NONE,
                                new RequestMeter(registry),
                                random));
        ControlFile control =
                new ControlFile(ProcessHandle.current().pid(), listener.url(), secret);
        lifecycle.own("control file", control.writeInto(configuration.dataDir()));
        return listener;
    }

    private Directory directory(HostProcess process) {
        return new Directory(
                process.database(),
                process.host(),
                events,
                new Directory.Sources(process.ids(), SystemTime.clock(), System::nanoTime, random),
                new Directory.Config(
                        Optional.empty(),
                        Runtime.getRuntime().availableProcessors(),
                        (who, id) ->
                                RunnerAssembly.stoppedDesk(configuration, process, events)
                                        .stores()
                                        .agents()
                                        .byId(who, new AgentId(id))
                                        .map(agent -> agent.host())));
    }

    private List<String> told(
            HostProcess process, Runner runner, Listener listener, boolean first) {
        List<String> lines = new ArrayList<>();
        lines.add("data dir " + configuration.dataDir() + ", host " + process.host().name());
        lines.add("listening on " + listener.url());
        lines.add(runner.agents().size() + " agents");
        if (first) {
            lines.add(
                    "alice and bob are scripted and need no key; 'skep agents new' makes your own");
        }
        runner.problems().forEach(problem -> lines.add("agents/" + problem));
        return lines;
    }

    /** The running process's API, or the same routes over its database while it is stopped. */
    public Api api() {
        Optional<ControlFile> running = ControlFile.find(configuration.dataDir());
        if (running.isPresent()) {
            return new HttpApi(
                    HttpApi.newClient(), running.get().url(), Optional.of(running.get().secret()));
        }
        DataDir.prepare(configuration.dataDir());
        HostProcess process = database(lifecycle);
        String secret = ControlFile.newSecret(random);
        Directory directory = lifecycle.own("directory", directory(process));
        var routes =
                new RouteTable(
                        RunnerAssembly.routes(
                                RunnerAssembly.stoppedDesk(configuration, process, events)));
        return new InProcessApi(
                new Dispatch(routes, directory.authentication(Optional.of(secret))),
                new Credentials(Optional.of(secret), Optional.empty(), "local", true));
    }
}
