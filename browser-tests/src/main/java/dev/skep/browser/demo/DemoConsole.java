package dev.skep.browser.demo;

import dev.skep.transport.socket.SocketAcceptor;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketRequest;
import dev.skep.transport.socket.SocketSender;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Stands where the registry's proxy would: every node greets and says what it heard. */
final class DemoConsole implements SocketAcceptor {
    static final String PATHS = "/ws/agent/*";

    @Override
    public AdmissionResult enter(SocketRequest request) {
        return new AdmissionResult.Admitted(Node::new);
    }

    private static final class Node implements SocketHandler {
        private @Nullable SocketSender caller;

        @Override
        public void opened(SocketSender socketSender) throws InterruptedException {
            caller = socketSender;
            socketSender.send(
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
