package dev.skep.worker;

import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.call.HubTransport;
import dev.skep.transport.link.LinkProtocol;
import java.net.http.HttpClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Works for every hub this host is joined to, at what it was given to do. */
public final class HubWorkers implements Component {
    /** New with every process, so that hubs forget what waits for an earlier one. */
    private final String worker = UUID.randomUUID().toString();

    /** For how long a token is held; no setting of the clock keeps one that has expired. */
    private static final InstantSource MONOTONIC = () -> Instant.EPOCH.plusNanos(System.nanoTime());

    private final JobWorker.Parts parts;
    private final Optional<HoldableAgents> agents;
    private final List<JobWorker> workers = new CopyOnWriteArrayList<>();
    private boolean working;

    /** Takes no work yet. */
    public HubWorkers(JobWorker.Parts parts) {
        this(parts, Optional.empty());
    }

    /** The same, and has the agents of this host stand still when a hub wants that. */
    HubWorkers(JobWorker.Parts parts, Optional<HoldableAgents> agents) {
        this.parts = parts;
        this.agents = agents;
    }

    /**
     * Work for one hub.
     *
     * @param calls what its links have to carry
     */
    public record HubWork(JobWorker worker, HubDispatchClient client, LinkProtocol<String> calls) {}

    /**
     * Takes work from a hub too: over its link, or while there is none, over HTTP. Only over links
     * that were dialled at its own address: a hub that calls itself by another's id is still asked
     * for its own jobs only, and judged by what this host allows it.
     */
    public synchronized HubWork workFor(EnrolledHub hub, HubConsent consent, HttpClient client) {
        CallClient calls = new CallClient();
        HubTransport http =
                new HttpHubTransport(client, hub.name(), new CachedToken(hub::token, MONOTONIC));
        HubDispatchClient dispatchClient =
                new HubDispatchClient(
                        hub.name(), List.of(calls, http), worker, () -> hub.id().isPresent());
        JobWorker added = new JobWorker(dispatchClient, consent, parts, agents);
        workers.add(added);
        if (working) {
            added.start();
        }
        return new HubWork(added, dispatchClient, calls);
    }

    boolean isFor(String hub) {
        return workers.stream().anyMatch(each -> each.hub().equals(hub));
    }

    /** A server of a hub that this host knows by another address now goes by what others may. */
    boolean mayRunServers(String hub) {
        List<JobWorker> of = workers.stream().filter(each -> each.hub().equals(hub)).toList();
        List<JobWorker> asked = of.isEmpty() ? workers : of;
        return asked.isEmpty() || asked.stream().anyMatch(JobWorker::mayRunServers);
    }

    /** Runs end that their hub may no longer have this host do. */
    void endWhatIsNotAllowed() {
        workers.forEach(JobWorker::endWhatIsNotAllowed);
    }

    /** Sends a heartbeat before the next one is due. */
    public void beatSoon() {
        workers.forEach(JobWorker::sendHeartbeatSoon);
    }

    /** Takes no more work from a hub; runs of its that are under way end. False if it took none. */
    public boolean workNoMore(JobWorker of) {
        boolean was = workers.remove(of);
        if (was) {
            of.close();
        }
        return was;
    }

    @Override
    public synchronized void start() {
        working = true;
        workers.forEach(JobWorker::start);
    }

    /** Runs under way end and go back to their hubs. */
    @Override
    public void close() {
        atWork().forEach(JobWorker::close);
    }

    private synchronized List<JobWorker> atWork() {
        working = false;
        return workers;
    }
}
