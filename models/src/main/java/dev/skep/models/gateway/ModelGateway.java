package dev.skep.models.gateway;

import dev.skep.models.gateway.GatewayPath.CountTokens;
import dev.skep.models.gateway.GatewayPath.Generate;
import dev.skep.models.gateway.GatewayPath.ListModels;
import dev.skep.models.money.PaidCalls;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.transport.loopback.LoopbackExchange;
import dev.skep.transport.loopback.LoopbackHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Answers below {@code /gateway/}: checks each call of an agent's program, reserves what it can
 * cost, passes it on with the provider's key and books what it cost. Thread-safe.
 */
public final class ModelGateway implements LoopbackHandler, AutoCloseable {
    /** Where it is mounted on a {@code LoopbackServer}. */
    public static final String PATH = "/gateway";

    /** Who has a token, and what is under way for it. */
    private record Admitted(
            GatewayAccount account, Set<Cancellation> open, AtomicBoolean dismissed) {}

    private final Map<String, Admitted> accounts = new ConcurrentHashMap<>();
    private final ModelRoutes routes;
    private final GatewayCall.Surroundings around;
    private final BodyMemoryLimiter room = new BodyMemoryLimiter();

    public ModelGateway(ModelRoutes routes, PaidCalls paid, InstantSource clock) {
        this.routes = routes;
        this.around =
                new GatewayCall.Surroundings(
                        paid, new ProviderClient(), new PromptTokenBounds(), clock);
    }

    /** From now on the token stands for this agent. */
    public void admit(String token, GatewayAccount account) {
        accounts.put(
                token, new Admitted(account, ConcurrentHashMap.newKeySet(), new AtomicBoolean()));
    }

    /** Ends the open calls of the token, which is worth nothing from now on. */
    public void dismiss(String token) {
        Admitted left = accounts.remove(token);
        if (left != null) {
            left.dismissed().set(true);
            left.open().forEach(Cancellation::cancel);
            around.counts().forget(left.account().agent());
        }
    }

    @Override
    public void handle(LoopbackExchange exchange) throws IOException {
        GatewayPath path = GatewayPath.of(exchange.method(), exchange.path());
        GatewayWire wire = GatewayPath.wireOf(exchange.path());
        if (path instanceof GatewayPath.Nothing) {
            write(exchange, RefusalResponse.notFound(wire));
            return;
        }
        Optional<Admitted> known = known(exchange);
        if (known.isEmpty()) {
            write(exchange, RefusalResponse.stranger(wire));
            return;
        }
        Admitted admitted = known.get();
        switch (path) {
            case ListModels _ -> write(exchange, ModelList.of(wire, admitted.account().model()));
            case CountTokens count -> count(exchange, count, admitted);
            case Generate generate -> generate(exchange, generate, admitted);
            case GatewayPath.Nothing _ -> {}
        }
    }

    /** All are compared, and each in the same time whatever was sent. */
    private Optional<Admitted> known(LoopbackExchange exchange) {
        byte[] sent = token(exchange).getBytes(StandardCharsets.UTF_8);
        Admitted found = null;
        for (Map.Entry<String, Admitted> each : accounts.entrySet()) {
            if (MessageDigest.isEqual(each.getKey().getBytes(StandardCharsets.UTF_8), sent)) {
                found = each.getValue();
            }
        }
        return Optional.ofNullable(found);
    }

    private static String token(LoopbackExchange exchange) {
        return Stream.of(
                        exchange.header("x-api-key"),
                        exchange.header("x-goog-api-key"),
                        exchange.header("authorization")
                                .filter(value -> value.regionMatches(true, 0, "Bearer ", 0, 7))
                                .map(value -> value.substring(7).strip()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse("");
    }

    private void generate(LoopbackExchange exchange, Generate wanted, Admitted admitted)
            throws IOException {
        try (BodyMemoryLimiter.Kept kept = room.read(exchange)) {
            Cancellation cancellation = new Cancellation();
            admitted.open().add(cancellation);
            exchange.onGone(cancellation::cancel);
            if (admitted.dismissed().get()) {
                cancellation.cancel();
            }
            try {
                generate(exchange, wanted, admitted.account(), kept.body(), cancellation);
            } finally {
                admitted.open().remove(cancellation);
            }
        }
    }

    private void generate(
            LoopbackExchange exchange,
            Generate wanted,
            GatewayAccount account,
            byte[] sent,
            Cancellation cancellation)
            throws IOException {
        boolean streams = Objects.equals(wanted.streams(), true);
        String named = wanted.model() == null ? "" : wanted.model();
        try {
            CallBody body = CallBody.read(sent, wanted.wire().conversation());
            if (wanted.wire() != GatewayWire.GOOGLE) {
                streams = body.root().path("stream").asBoolean(false);
                named = body.root().path("model").asString("");
            }
            ModelChoice model = ModelChoice.of(routes, wanted.wire(), named, account.model());
            new GatewayCall(around, account, wanted.wire(), model, body, cancellation)
                    .run(exchange, upstream(wanted, model));
        } catch (RefusedCall refused) {
            Instant until = refused.until();
            String why = "Skep refused this call: " + refused.why();
            account.listener()
                    .refused(refused.why(), until == null ? around.clock().instant() : until);
            write(
                    exchange,
                    switch (account.refusals()) {
                        case BY_WIRE -> RefusalResponse.error(wanted.wire(), why);
                        case ANSWER -> RefusalResponse.said(wanted.wire(), streams, named, why);
                    });
        }
    }

    private static String upstream(Generate wanted, ModelChoice model) {
        return switch (wanted.wire()) {
            case ANTHROPIC -> "/messages";
            case CHAT -> "/chat/completions";
            case RESPONSES -> "/responses";
            case GOOGLE ->
                    "/models/%s:%s"
                            .formatted(
                                    model.endpoint().model(),
                                    Objects.equals(wanted.streams(), true)
                                            ? "streamGenerateContent"
                                            : "generateContent");
        };
    }

    /** Costs nothing with the providers whose paths these are, so nothing is reserved. */
    private void count(LoopbackExchange exchange, CountTokens count, Admitted admitted)
            throws IOException {
        try (BodyMemoryLimiter.Kept kept = room.read(exchange)) {
            CallBody body = CallBody.read(kept.body(), count.wire().conversation());
            String named =
                    count.model() == null ? body.root().path("model").asString("") : count.model();
            ModelChoice model =
                    ModelChoice.of(routes, count.wire(), named, admitted.account().model());
            new TokenCount(around.provider(), count.wire(), model, body).run(exchange);
        } catch (RefusedCall refused) {
            write(exchange, RefusalResponse.error(count.wire(), refused.why()));
        }
    }

    static void write(LoopbackExchange exchange, RefusalResponse answer) throws IOException {
        OutputStream out = exchange.respond(answer.status(), answer.headers());
        out.write(answer.bytes());
        out.flush();
    }

    @Override
    public void close() {
        Set.copyOf(accounts.keySet()).forEach(this::dismiss);
        around.provider().close();
    }
}
