package dev.skep.worker;

import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.shell.BashShells;
import dev.skep.shell.SandboxedCommands;
import dev.skep.shell.redact.Redactor;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The jobs and servers of this host, for all the hubs it is joined to. */
public final class HostJobs implements Component {
    private final SandboxedCommands commands;
    private final ServerInstances serverInstances;
    private final HubWorkers workers;

    /**
     * How this host works.
     *
     * @param dataDir where the lists of allowed commands and variables are, and what servers leave
     *     behind
     * @param atOnce how many runs this machine does at once, for all its hubs together
     * @param runtimes what agents can think with here, by name
     */
    public record Config(
            String version, Path dataDir, int atOnce, Supplier<List<String>> runtimes) {
        /** The same for a host that has no agents. */
        public Config(String version, Path dataDir, int atOnce) {
            this(version, dataDir, atOnce, List::of);
        }
    }

    /**
     * Takes no work yet.
     *
     * @param shells whose walls jobs and servers run behind
     * @param more what else this host can do
     * @param agents those of this host
     */
    public HostJobs(
            Config config,
            BashShells shells,
            List<JobType> more,
            HoldableAgents agents,
            Redactor redactor,
            InstantSource clock) {
        Path dataDir = config.dataDir();
        JobsFolder.moveFromBefore(dataDir);
        this.commands = shells.commands(home(dataDir), List.of(dataDir));
        HostRules rules =
                new HostRules(
                        AllowedCommands.listedIn(dataDir.resolve("allowed-commands")),
                        AllowedEnv.listedIn(dataDir.resolve("allowed-env")),
                        commands,
                        dataDir);
        this.serverInstances =
                new ServerInstances(dataDir.resolve("servers"), rules, commands, clock);
        List<JobType> types = new ArrayList<>(more);
        types.add(new ShellJob(rules, commands));
        types.add(new ServerJob(serverInstances, rules));
        this.workers =
                new HubWorkers(
                        new JobWorker.Parts(
                                config.version(),
                                types,
                                new HostSlots(config.atOnce()),
                                new HostMetrics(config.dataDir()),
                                new HostFacts(config.runtimes()),
                                serverInstances::states,
                                redactor),
                        Optional.of(agents));
        serverInstances.joined(workers::isFor);
        serverInstances.allowedTo(workers::mayRunServers);
    }

    /** The folder that jobs and servers have of a data dir. */
    public static Path home(Path dataDir) {
        return JobsFolder.of(dataDir);
    }

    /** Takes work from a hub too. */
    public HubWorkers.HubWork startWorker(EnrolledHub hub, HubConsent consent, HttpClient client) {
        return workers.workFor(hub, consent, client);
    }

    /**
     * What this host allows its hubs may have changed: what it allows no longer ends. Returns
     * before that has ended.
     */
    public void consentsChanged() {
        workers.endWhatIsNotAllowed();
        Thread.ofVirtual().name("servers-end").start(serverInstances::endWhatIsNotAllowed);
    }

    /** Sends a heartbeat before the next one is due. */
    public void sendHeartbeatSoon() {
        workers.beatSoon();
    }

    /** Takes no more work from a hub; runs of its that are under way end. */
    public void stopWorker(JobWorker of) {
        if (workers.workNoMore(of)) {
            Thread.ofVirtual()
                    .name("servers-end")
                    .start(() -> serverInstances.endThoseOf(of.hub()));
        }
    }

    @Override
    public void start() {
        commands.endLeftovers();
        serverInstances.onChange(this::sendHeartbeatSoon);
        serverInstances.start();
        workers.start();
    }

    /** Runs under way end and go back to their hubs; servers run on. */
    @Override
    public void close() {
        workers.close();
        serverInstances.close();
    }
}
