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
final class RegisteringNodes implements Work {
    private static final int MOST = 12;
    private static final int HEARD_WITHIN = 5_000;

    private final Victim runner;
    private final Acknowledgements ledger;
    private final Map<String, RawWebSocket> sockets = new ConcurrentHashMap<>();
    private int next;

    RegisteringNodes(Victim runner, Acknowledgements ledger) {
        this.runner = runner;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(1);
    }

    @Override
    public void step(RandomGenerator random) {
        sockets.values().forEach(RegisteringNodes::ping);
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

    private Asked register(String id) {
        RawWebSocket socket;
        try {
            socket = RawWebSocket.connect(runner.registryPort, "/ws");
        } catch (IOException away) {
            return new Asked.Unheard();
        }
        try {
            socket.socket().setSoTimeout(HEARD_WITHIN);
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
            Asked answer = answer(socket, id);
            if (answer instanceof Asked.Yes) {
                socket.socket().setSoTimeout(0);
                sockets.put(id, socket);
                Thread.startVirtualThread(() -> listen(id, socket));
            } else {
                socket.cut();
            }
            return answer;
        } catch (IOException cut) {
            socket.cut();
            return new Asked.Unknown(String.valueOf(cut.getMessage()));
        }
    }

    private static Asked answer(RawWebSocket socket, String id) throws IOException {
        for (RawWebSocket.Frame frame = socket.message();
                frame != null && frame.opcode() == RawWebSocket.TEXT;
                frame = socket.message()) {
            JsonFields fields = Json.fields(frame.text());
            if (fields.shown("id").equals(id)) {
                return fields.has("result") ? new Asked.Yes(fields) : new Asked.No(0, frame.text());
            }
        }
        return new Asked.Unknown("cut off");
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
