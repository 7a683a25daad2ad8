package dev.skep.registry.proxy;

import dev.skep.registry.node.Node;
import dev.skep.registry.node.RegistryConnection;
import dev.skep.registry.service.Registry;
import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketHandler;
import dev.skep.transport.socket.SocketSender;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Dials a node that registered here at its own port. */
public final class DirectNodeConnector implements NodeConnector {
    private final SocketDialer dialer;
    private final NodeAddressPolicy nodeAddressPolicy;

    public DirectNodeConnector(SocketDialer dialer, NodeAddressPolicy nodeAddressPolicy) {
        this.dialer = dialer;
        this.nodeAddressPolicy = nodeAddressPolicy;
    }

    @Override
    public Opening open(Registry.RegisteredNode registeredNode, MessageReceiver receiver)
            throws InterruptedException {
        Node node = registeredNode.node();
        Optional<RegistryConnection> registryConnection = registeredNode.peer();
        if (registryConnection.isEmpty()) {
            return new Opening.Failed("Agent is offline");
        }
        return switch (nodeAddressPolicy.decide(
                node.machine(), node.port(), registryConnection.get())) {
            case NodeAddressPolicy.Decision.Refused(String error) -> Opening.Failed.because(error);
            case NodeAddressPolicy.Decision.Dial(var address) -> {
                AgentSide side = new AgentSide(receiver);
                yield opening(dialer.dial(address, side), side);
            }
        };
    }

    private static Opening opening(SocketDialer.Outcome outcome, AgentSide side) {
        return switch (outcome.dialled()) {
            case CONNECTED -> new Opening.Opened(side.socketSender.join());
            case UNREACHABLE -> Opening.Failed.because("Cannot reach agent: " + outcome.why());
            case NO_RESPONSE -> Opening.Failed.because("Agent handshake failed: no response");
            case INVALID_RESPONSE ->
                    Opening.Failed.because("Agent handshake failed: invalid response");
        };
    }

    /** The agent's end of the socket. */
    private static final class AgentSide implements SocketHandler {
        private final MessageReceiver receiver;
        private final CompletableFuture<SocketSender> socketSender = new CompletableFuture<>();

        AgentSide(MessageReceiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void opened(SocketSender opened) {
            socketSender.complete(opened);
        }

        @Override
        public void utf8(ByteBuffer message) throws InterruptedException {
            receiver.text(message);
        }

        @Override
        public void text(String message) {
            throw new IllegalStateException("texts are passed on as bytes");
        }

        @Override
        public void binary(ByteBuffer message) throws InterruptedException {
            receiver.binary(message);
        }

        @Override
        public void pinged() {}

        @Override
        public void closed(int code, String reason) {
            if (socketSender.isDone()) {
                receiver.closed(code, reason);
            }
        }
    }
}
