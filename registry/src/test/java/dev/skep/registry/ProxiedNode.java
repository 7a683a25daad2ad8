package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.RawWebSocket.Frame;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that no other test has, and those who reach it through a proxy. */
final class ProxiedNode implements AutoCloseable {
    private static final AtomicInteger NODES = new AtomicInteger();

    final TestAgent agent = new TestAgent();
    final TestRegistryClient registered;
    private final int number = NODES.incrementAndGet();
    private final ProxyRules.Place place;
    private final TestRegistryClient watching;

    ProxiedNode(ProxyRules.Place place) throws IOException, InterruptedException {
        this.place = place;
        registered = new TestRegistryClient(place.agents());
        watching = new TestRegistryClient(place.dashboards());
        registered.register(id(), "localhost", agent.port());
        awaitActive(id());
    }

    /** Every character may be in an id. */
    String id() {
        return named("a/b c%?");
    }

    /** A name that no other test has. */
    String named(String word) {
        return word + number;
    }

    RawWebSocket dashboard() throws IOException {
        return RawWebSocket.connect(place.dashboards(), named("/ws/agent/a%2Fb%20c%25%3F"));
    }

    /** Where nodes of this place register. */
    TestRegistryClient client() throws IOException {
        return new TestRegistryClient(place.agents());
    }

    /** Waits until dashboards see a node. */
    void awaitActive(String id) throws InterruptedException {
        while (!watching.statusOf(id).equals("active")) {
            watching.event();
        }
    }

    /** What a dashboard is told that asks for another node, at this address. */
    String errorOf(String machine, int port) throws Exception {
        String other = named("n");
        registered.register(other, machine, port);
        awaitActive(other);
        return errorAt("/ws/agent/" + other);
    }

    String errorAt(String path) throws IOException {
        try (RawWebSocket dashboard = RawWebSocket.connect(place.dashboards(), path)) {
            String text = next(dashboard).text();
            assertThat(next(dashboard).opcode()).isEqualTo(RawWebSocket.CLOSE);
            return text.replaceFirst("^\\{\"error\":\"(.*)\"}$", "$1");
        }
    }

    /** Sends while the caller does something else. */
    static void send(RawWebSocket socket, int opcode, byte[] bytes) {
        Thread.startVirtualThread(
                () -> {
                    try {
                        socket.send(opcode, true, bytes);
                    } catch (IOException e) {
                        // the reader will miss it
                    }
                });
    }

    static Frame next(RawWebSocket socket) throws IOException {
        Frame frame = socket.message();
        if (frame == null) {
            throw new AssertionError("the connection was cut");
        }
        return frame;
    }

    @Override
    public void close() throws IOException {
        watching.close();
        registered.close();
        agent.close();
    }
}
