package dev.skep.runner.managed;

import dev.skep.models.gateway.GatewayAccount;
import dev.skep.models.gateway.ModelGateway;
import dev.skep.runner.tools.ToolCaller;
import dev.skep.runner.tools.ToolsEndpoint;
import dev.skep.transport.loopback.LoopbackServer;
import java.util.Base64;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where managed agents reach models and our tools: one server on loopback, which opens with the
 * first that needs it. Thread-safe.
 */
public final class RuntimeAccessServer implements AutoCloseable {
    private static final int TOKEN_BYTES = 32;

    private final ModelGateway gateway;
    private final ToolsEndpoint tools;
    private final RandomGenerator random;
    private @Nullable LoopbackServer server;
    private boolean closed;

    public RuntimeAccessServer(ModelGateway gateway, ToolsEndpoint tools, RandomGenerator random) {
        this.gateway = gateway;
        this.tools = tools;
        this.random = random;
    }

    /** What one process of a runtime is given; worth nothing once it is revoked. */
    record Grant(int port, String token) {
        /** Where the gateway and the tools are. */
        String address() {
            return "http://127.0.0.1:" + port;
        }

        /** Where our tools are. */
        String tools() {
            return address() + ToolsEndpoint.PATH;
        }

        @Override
        public String toString() {
            return "Grant[%d]".formatted(port);
        }
    }

    /**
     * Lets a process in.
     *
     * @param account null for one that brings its own sign-in
     */
    synchronized Grant open(@Nullable GatewayAccount account, ToolCaller caller) {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (server == null) {
            server =
                    new LoopbackServer(
                            Map.of(ModelGateway.PATH, gateway, ToolsEndpoint.PATH, tools));
            server.start();
        }
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        if (account != null) {
            gateway.admit(token, account);
        }
        tools.admit(token, caller);
        return new Grant(server.port(), token);
    }

    void revoke(Grant grant) {
        gateway.dismiss(grant.token());
        tools.dismiss(grant.token());
    }

    /** Whether a port is open. */
    public synchronized boolean isOpen() {
        return server != null && !closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        gateway.close();
        if (server != null) {
            server.close();
        }
    }
}
