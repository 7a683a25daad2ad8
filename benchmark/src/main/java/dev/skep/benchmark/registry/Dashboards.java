package dev.skep.benchmark.registry;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Dashboards that stay connected to one registry, and an agent that gives them news. */
final class Dashboards implements AutoCloseable {
    private final int port;
    private final List<RawWebSocket> sockets = new ArrayList<>();
    private final ConcurrentLinkedQueue<Long> latencies = new ConcurrentLinkedQueue<>();
    private volatile Waited waited = new Waited("", 0, new CountDownLatch(0));

    /** A join that dashboards are waiting for. */
    private record Waited(String id, long since, CountDownLatch received) {}

    Dashboards(int port) {
        this.port = port;
    }

    void add(int count) throws IOException {
        CountDownLatch welcomed = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            RawWebSocket dashboard = RawWebSocket.connect(port, "/ws");
            sockets.add(dashboard);
            Thread.startVirtualThread(() -> read(dashboard, welcomed));
        }
        await(welcomed);
    }

    private void read(RawWebSocket dashboard, CountDownLatch welcomed) {
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
                    join.received().countDown();
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
        Thread.startVirtualThread(() -> Agents.read(joiner, () -> {}));
        for (int i = 0; i < times; i++) {
            String id = "joiner-" + i + "-";
            CountDownLatch received = new CountDownLatch(dashboards);
            waited = new Waited("\"" + id + "\"", System.nanoTime(), received);
            joiner.text(Agents.registration(id, 10_000 + i));
            await(received);
        }
        return new ArrayList<>(latencies);
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
