package dev.skep.runner.jobs;

import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.link.EnrolledHub;
import dev.skep.runner.redact.Redactor;
import dev.skep.runner.shell.BashShells;
import dev.skep.runner.shell.WalledCommands;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.link.LinkTraffic;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** The jobs and servers of this host, for all the hubs it is joined to. */
public final class HostJobs implements Component {
    /** New with every process, so that hubs forget what waits for an earlier one. */
    private final String worker = UUID.randomUUID().toString();

    private final WalledCommands commands;
    private final Servers servers;
    private final JobWorker.Parts parts;
    private final InstantSource clock;
    private final List<JobWorker> workers = new CopyOnWriteArrayList<>();
    private boolean working;

    /**
     * How this host works.
     *
     * @param dataDir where the lists of allowed commands and variables are, and what servers leave
     *     behind
     * @param atOnce how many runs this machine does at once, whoever hands them out
     */
    public record Config(String version, Path dataDir, int atOnce) {}

    /**
     * Takes no work yet.
     *
     * @param shells whose walls jobs and servers run behind
     * @param more what else this host can do
     */
    public HostJobs(
            Config config,
            BashShells shells,
            AgentControl agents,
            List<JobType> more,
            Redactor redactor,
            InstantSource clock) {
        Path dataDir = config.dataDir();
        this.clock = clock;
        JobsHome.moveFromBefore(dataDir);
        this.commands = shells.commands(home(dataDir), List.of(dataDir));
        HostRules rules =
                new HostRules(
                        AllowedCommands.listedIn(dataDir.resolve("allowed-commands")),
                        AllowedEnv.listedIn(dataDir.resolve("allowed-env")),
                        commands,
                        dataDir);
        this.servers = new Servers(dataDir.resolve("servers"), rules, commands, clock);
        servers.joined(hub -> workers.stream().anyMatch(each -> each.hub().equals(hub)));
        servers.allowedTo(this::mayRunServers);
        List<JobType> types = new ArrayList<>(more);
        types.add(new ShellJob(rules, commands));
        types.add(new ServerJob(servers, rules));
        types.add(new AgentJob(agents));
        this.parts =
                new JobWorker.Parts(
                        config.version(),
                        types,
                        new HostSlots(config.atOnce()),
                        new HostMetrics(config.dataDir()),
                        servers::states,
                        redactor);
    }

    /** The folder that jobs and servers have of a data dir. */
    public static Path home(Path dataDir) {
        return JobsHome.of(dataDir);
    }

    /**
     * Work for one hub.
     *
     * @param calls what its links have to carry
     */
    public record HubWork(JobWorker worker, LinkTraffic<String> calls) {}

    /**
     * Takes work from a hub too: over its link, or while there is none, over HTTP. Only over links
     * that were dialled at its own address: a hub that calls itself by another's id is still asked
     * for its own jobs only, and judged by what this host allows it.
     */
    public synchronized HubWork workFor(EnrolledHub hub, HubConsent consent, HttpClient client) {
        CallClient calls = new CallClient();
        HubCaller http = new HttpCaller(client, hub.name(), new HeldToken(hub::token, clock));
        HubCaller caller = new LinkCaller(calls, hub::id, http);
        JobWorker added =
                new JobWorker(
                        new HubDispatchLink(caller, worker, () -> hub.id().isPresent()),
                        consent,
                        parts);
        workers.add(added);
        if (working) {
            added.start();
        }
        return new HubWork(added, calls);
    }

    /** A server of a hub that this host knows by another address now goes by what others may. */
    private boolean mayRunServers(String hub) {
        List<JobWorker> of = workers.stream().filter(each -> each.hub().equals(hub)).toList();
        List<JobWorker> asked = of.isEmpty() ? workers : of;
        return asked.isEmpty() || asked.stream().anyMatch(JobWorker::mayRunServers);
    }

    /**
     * What this host allows its hubs may have changed: what it allows no longer ends. Returns
     * before that has ended.
     */
    public void consentsChanged() {
        workers.forEach(JobWorker::endWhatIsNotAllowed);
        Thread.ofVirtual().name("servers-end").start(servers::endWhatIsNotAllowed);
    }

    /** Something the hubs should hear of before the next beat is due. */
    public void beatSoon() {
        workers.forEach(JobWorker::beatSoon);
    }

    /** Takes no more work from a hub; runs of its that are under way end. */
    public void workNoMore(JobWorker of) {
        if (workers.remove(of)) {
            of.close();
            Thread.ofVirtual().name("servers-end").start(() -> servers.endThoseOf(of.hub()));
        }
    }

    @Override
    public synchronized void start() {
        commands.endLeftovers();
        servers.onChange(this::beatSoon);
        servers.start();
        working = true;
        workers.forEach(JobWorker::start);
    }

    /** Runs under way end and go back to their hubs; servers run on. */
    @Override
    public void close() {
        atWork().forEach(JobWorker::close);
        servers.close();
    }

    private synchronized List<JobWorker> atWork() {
        working = false;
        return workers;
    }
}
