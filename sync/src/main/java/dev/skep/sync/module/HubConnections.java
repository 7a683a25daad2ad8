package dev.skep.sync.module;

import dev.skep.directory.link.EnrolledHub;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.sync.link.RunnerSyncProtocol;
import dev.skep.transport.link.LinkDialer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** The links of this runner, one to each of its hubs; each works or fails alone. */
public final class HubConnections implements Component {
    private final RunnerSyncProtocol sync;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private boolean dialling;

    /** A hub and what keeps the link to it. */
    public record Connection(EnrolledHub hub, LinkDialer dialer) {}

    public HubConnections(RunnerSyncProtocol sync) {
        this.sync = sync;
    }

    /** One more hub; while the others are linked or dialled, so is this. */
    public synchronized void add(Connection connection) {
        connections.add(connection);
        if (dialling) {
            connection.dialer.start();
        }
    }

    /** No longer a hub of this runner. */
    public void remove(Connection connection) {
        if (connections.remove(connection)) {
            connection.dialer.close();
        }
    }

    /**
     * The state of one hub link, for people.
     *
     * @param state disconnected, connecting, catching_up, live or refused
     * @param since when the link opened or was lost
     * @param heardAt when sync last received something from the hub; empty without a link
     * @param problem why there is no link, or what the hub refuses; empty if all is well
     */
    public record Status(
            String url, String hub, String state, String since, String heardAt, String problem) {}

    /** How many hubs are linked now. */
    public int linked() {
        return (int) connections.stream().filter(c -> c.dialer.status().connected()).count();
    }

    public List<Status> status() {
        List<Status> all = new ArrayList<>();
        for (Connection connection : connections) {
            LinkDialer.Status dialled = connection.dialer.status();
            String id = connection.hub.id().orElse("");
            var syncStatus = sync.status(id);
            all.add(
                    new Status(
                            connection.hub.name(),
                            id,
                            syncStatus
                                    .map(s -> s.phase().name().toLowerCase(Locale.ROOT))
                                    .orElse(dialled.connected() ? "connecting" : "disconnected"),
                            dialled.since().toString(),
                            syncStatus.map(s -> s.receivedAt().toString()).orElse(""),
                            sync.lastError(id).isEmpty() ? dialled.problem() : sync.lastError(id)));
        }
        return all;
    }

    @Override
    public synchronized void start() {
        sync.start();
        dialling = true;
        connections.forEach(connection -> connection.dialer.start());
    }

    /** All at once, so that one hub that does not answer costs no more than its own patience. */
    @Override
    public void close() {
        List<Thread> closing =
                dialled().stream()
                        .map(c -> Thread.ofVirtual().name("close-link").start(c.dialer::close))
                        .toList();
        try {
            for (Thread each : closing) {
                each.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sync.close();
    }

    private synchronized List<Connection> dialled() {
        dialling = false;
        return connections;
    }
}
