package dev.skep.runner.jobs;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.link.EnrolledHub;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.link.LinkTraffic;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** The jobs and servers of this host, for all the hubs it is joined to. */
public final class HostJobs implements Component {
    private final CallClient calls = new CallClient();

    /** New with every process, so that hubs forget what waits for an earlier one. */
    private final String worker = UUID.randomUUID().toString();

    private final Servers servers;
    private final JobWorker.Parts parts;
    private final InstantSource clock;
    private final List<JobWorker> workers = new CopyOnWriteArrayList<>();
    private boolean working;

    /**
     * How this host works.
     *
     * @param dataDir where the list of allowed commands is, and what servers leave behind
     * @param atOnce how many runs this machine does at once, whoever hands them out
     */
    public record Config(String version, Path dataDir, int atOnce) {
        Path home() {
            return dataDir.resolve("work").resolve("jobs");
        }
    }

    /**
     * Takes no work yet.
     *
     * @param more what else this host can do
     */
    public HostJobs(
            Config config,
            AgentControl agents,
            List<JobType> more,
            UnaryOperator<String> redact,
            InstantSource clock) {
        AllowedCommands allowed =
                AllowedCommands.listedIn(config.dataDir().resolve("allowed-commands"));
        Path home = made(config.home());
        this.clock = clock;
        this.servers = new Servers(config.dataDir().resolve("servers"), home, clock);
        List<JobType> types = new ArrayList<>(more);
        types.add(new ShellJob(allowed, home));
        types.add(new ServerJob(servers, allowed));
        types.add(new AgentJob(agents));
        this.parts =
                new JobWorker.Parts(
                        config.version(),
                        types,
                        new HostSlots(config.atOnce()),
                        new HostMetrics(config.dataDir()),
                        servers::states,
                        redact);
    }

    /** What the links to the hubs have to carry. */
    public LinkTraffic<String> calls() {
        return calls;
    }

    /** Takes work from a hub too: over its link, or while there is none, over HTTP. */
    public synchronized JobWorker workFor(EnrolledHub hub, HttpClient client) {
        HubCaller http = new HttpCaller(client, hub.name(), new HeldToken(hub::token, clock));
        HubCaller caller = new LinkCaller(calls, hub::id, http);
        JobWorker added = new JobWorker(new HubDispatchLink(caller, worker), parts);
        workers.add(added);
        if (working) {
            added.start();
        }
        return added;
    }

    /** Takes no more work from a hub; runs of its that are under way end. */
    public void workNoMore(JobWorker of) {
        if (workers.remove(of)) {
            of.close();
        }
    }

    @Override
    public synchronized void start() {
        servers.onChange(() -> workers.forEach(JobWorker::beatSoon));
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

    private static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot make %s; make its parent writable by this user".formatted(folder),
                    e);
        }
    }
}
