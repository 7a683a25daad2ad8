package dev.skep.browser.demo;

import dev.skep.transport.socket.Outgoing;
import dev.skep.transport.socket.SocketDoor;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketRequest;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stands where the registry's proxy would: every node greets and says what it heard. */
final class DemoConsole implements SocketDoor {
    static final String PATHS = "/ws/agent/*";

    @Override
    public Entry enter(SocketRequest request) {
        return new Entry.Admitted(Node::new);
    }

    private static final class Node implements SocketHandler {
        private @Nullable Outgoing caller;

        @Override
        public void opened(Outgoing outgoing) throws InterruptedException {
            caller = outgoing;
            outgoing.send(
                    "{\"type\": \"hello\", \"tools\": [\"shell\", \"files\"], \"busy\": false}");
        }

        @Override
        public void text(String message) throws InterruptedException {
            Objects.requireNonNull(caller).send("heard: " + message);
        }

        @Override
        public void binary(ByteBuffer message) {}

        @Override
        public void pinged() {}

        @Override
        public void closed(int code, String reason) {}
    }
}
