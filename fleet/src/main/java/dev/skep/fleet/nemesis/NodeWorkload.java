package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import dev.skep.testkit.RawWebSocket;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/** Nodes of a runner, each with a socket, that come back whenever they were cut off. */
final class NodeWorkload implements ClientTask {
    private static final int MOST = 12;
    private static final int READ_TIMEOUT_MILLIS = 5_000;

    private final NemesisProcess runner;
    private final Acknowledgements ledger;
    private final Map<String, RawWebSocket> sockets = new ConcurrentHashMap<>();
    private int next;

    NodeWorkload(NemesisProcess runner, Acknowledgements ledger) {
        this.runner = runner;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void step(RandomGenerator random) {
        sockets.values().forEach(NodeWorkload::ping);
        String id = "node-%s-%d".formatted(runner.name, next);
        next = (next + 1) % MOST;
        if (!sockets.containsKey(id)) {
            Thing node = new Thing(Kind.NODE, runner.name, id);
            ledger.note(node, Acknowledgements.THERE, register(id));
        }
    }

    private static void ping(RawWebSocket socket) {
        try {
            socket.ping();
        } catch (IOException cut) {
            socket.cut();
        }
    }

    private CallOutcome register(String id) {
        RawWebSocket socket;
        try {
            socket = RawWebSocket.connect(runner.registryPort, "/ws");
        } catch (IOException away) {
            return new CallOutcome.NotSent();
        }
        try {
            socket.socket().setSoTimeout(READ_TIMEOUT_MILLIS);
            Map<String, Object> node =
                    Map.of(
                            "id",
                            id,
                            "machine",
                            "localhost",
                            "cwd",
                            "/",
                            "port",
                            // A second node with the same would take its place.
                            1_000 + next,
                            "pid",
                            ProcessHandle.current().pid(),
                            "status",
                            "active");
            socket.text(Json.text(Map.of("id", id, "method", "register", "params", node)));
            CallOutcome answer = answer(socket, id);
            if (answer instanceof CallOutcome.Yes) {
                socket.socket().setSoTimeout(0);
                sockets.put(id, socket);
                Thread.startVirtualThread(() -> listen(id, socket));
            } else {
                socket.cut();
            }
            return answer;
        } catch (IOException cut) {
            socket.cut();
            return new CallOutcome.Unknown(String.valueOf(cut.getMessage()));
        }
    }

    private static CallOutcome answer(RawWebSocket socket, String id) throws IOException {
        for (RawWebSocket.Frame frame = socket.message();
                frame != null && frame.opcode() == RawWebSocket.TEXT;
                frame = socket.message()) {
            JsonFields fields = Json.fields(frame.text());
            if (fields.shown("id").equals(id)) {
                return fields.has("result")
                        ? new CallOutcome.Yes(fields)
                        : new CallOutcome.No(0, frame.text());
            }
        }
        return new CallOutcome.Unknown("cut off");
    }

    private void listen(String id, RawWebSocket socket) {
        try {
            for (RawWebSocket.Frame frame = socket.message();
                    frame != null && frame.opcode() != RawWebSocket.CLOSE;
                    frame = socket.message()) {
                // others come and go
            }
        } catch (IOException cut) {
            // it comes back
        }
        sockets.remove(id, socket);
        socket.cut();
    }

    /** Whether all that ever registered are connected now. */
    boolean allThere() {
        return ledger.all(Kind.NODE).keySet().stream()
                .filter(node -> node.asked().equals(runner.name))
                .allMatch(node -> sockets.containsKey(node.name()));
    }
}
