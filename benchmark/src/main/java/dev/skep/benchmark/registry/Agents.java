package dev.skep.benchmark.registry;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.util.concurrent.Phaser;

/**
 * Many agents that stay connected to one registry and read all messages. A process of its own, as
 * agents are: in the process of the dashboards, those would wait for its threads.
 */
final class Agents {
    private Agents() {}

    /** With the registry's port and how many. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int port = Integer.parseInt(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        Phaser registered = new Phaser(1);
        for (int i = 0; i < count; i++) {
            RawWebSocket agent = RawWebSocket.connect(port, "/ws");
            registered.register();
            Thread.startVirtualThread(() -> read(agent, registered::arriveAndDeregister));
            agent.text(registration("agent-" + i, i));
            // A few at a time: the figure is about those who are there, not about their coming.
            if (i % 100 == 99) {
                registered.arriveAndAwaitAdvance();
            }
        }
        registered.arriveAndAwaitAdvance();
        System.err.println("agents are there");
        Thread.currentThread().join();
    }

    /** Reads until the end; {@code registered} runs with the answer to the registration. */
    static void read(RawWebSocket agent, Runnable registered) {
        boolean answered = false;
        try {
            for (RawWebSocket.Frame frame = agent.message();
                    frame != null;
                    frame = agent.message()) {
                if (!answered && frame.text().contains("\"registered\"")) {
                    answered = true;
                    registered.run();
                }
            }
        } catch (IOException closed) {
            // the measurement is over
        }
    }

    static String registration(String id, int port) {
        return """
                {"id":"1","method":"register","params":{"id":"%s","machine":"bench","cwd":"/work","port":%d,"status":"active"}}"""
                .formatted(id, port);
    }
}
