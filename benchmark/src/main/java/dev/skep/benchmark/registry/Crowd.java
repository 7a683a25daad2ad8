package dev.skep.benchmark.registry;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;

/** Agents and dashboards that stay connected to one registry and read all they are told. */
final class Crowd implements AutoCloseable {
    private final int port;
    private final List<RawWebSocket> sockets = new ArrayList<>();
    private final ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    private volatile Waited waited = new Waited("", 0, new CountDownLatch(0));

    /** A join that dashboards are waiting for. */
    private record Waited(String id, long since, CountDownLatch told) {}

    Crowd(int port) {
        this.port = port;
    }

    void addAgents(int count) throws IOException {
        Phaser registered = new Phaser(1);
        for (int i = 0; i < count; i++) {
            RawWebSocket agent = RawWebSocket.connect(port, "/ws");
            sockets.add(agent);
            registered.register();
            Thread.startVirtualThread(() -> readAsAgent(agent, registered));
            agent.text(registration("agent-" + i, i));
            // A few at a time: the figure is about those who are there, not about their coming.
            if (i % 100 == 99) {
                registered.arriveAndAwaitAdvance();
            }
        }
        registered.arriveAndAwaitAdvance();
    }

    private static void readAsAgent(RawWebSocket agent, Phaser registered) {
        boolean answered = false;
        try {
            for (RawWebSocket.Frame frame = agent.message();
                    frame != null;
                    frame = agent.message()) {
                if (!answered && frame.text().contains("\"registered\"")) {
                    answered = true;
                    registered.arriveAndDeregister();
                }
            }
        } catch (IOException closed) {
            // the measurement is over
        }
    }

    void addDashboards(int count) throws IOException {
        CountDownLatch welcomed = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            RawWebSocket dashboard = RawWebSocket.connect(port, "/ws");
            sockets.add(dashboard);
            Thread.startVirtualThread(() -> readAsDashboard(dashboard, welcomed));
        }
        await(welcomed);
    }

    private void readAsDashboard(RawWebSocket dashboard, CountDownLatch welcomed) {
        try {
            for (RawWebSocket.Frame frame = dashboard.message();
                    frame != null;
                    frame = dashboard.message()) {
                long now = System.nanoTime();
                String text = frame.text();
                Waited join = waited;
                if (text.startsWith("{\"event\":\"init\"")) {
                    welcomed.countDown();
                } else if (text.contains("\"node_joined\"") && text.contains(join.id())) {
                    latencies.add(now - join.since());
                    join.told().countDown();
                }
            }
        } catch (IOException closed) {
            // the measurement is over
        }
    }

    /** Nanoseconds from each join to each dashboard. */
    List<Long> join(int times, int dashboards) throws IOException {
        latencies.clear();
        RawWebSocket joiner = RawWebSocket.connect(port, "/ws");
        sockets.add(joiner);
        Thread.startVirtualThread(() -> readAsAgent(joiner, new Phaser(2)));
        for (int i = 0; i < times; i++) {
            String id = "joiner-" + i + "-";
            CountDownLatch told = new CountDownLatch(dashboards);
            waited = new Waited("\"" + id + "\"", System.nanoTime(), told);
            joiner.text(registration(id, 10_000 + i));
            await(told);
        }
        return new ArrayList<>(latencies);
    }

    private static String registration(String id, int port) {
        return """
                {"id":"1","method":"register","params":{"id":"%s","machine":"bench","cwd":"/work","port":%d,"status":"active"}}"""
                .formatted(id, port);
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        sockets.forEach(RawWebSocket::close);
    }
}
