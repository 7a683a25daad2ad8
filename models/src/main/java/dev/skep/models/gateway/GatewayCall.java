package dev.skep.models.gateway;

import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.models.gateway.PromptTokenBounds.Measured;
import dev.skep.models.gateway.WireRules.Output;
import dev.skep.models.money.CallDemand;
import dev.skep.models.money.PaidCall;
import dev.skep.models.money.PaidCalls;
import dev.skep.models.money.PaidCalls.Admission;
import dev.skep.models.provider.KeyShapes;
import dev.skep.transport.loopback.LoopbackExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import javax.net.ssl.SSLHandshakeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of a model, from its request to its cost. Used by one thread, but for its end. */
final class GatewayCall {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayCall.class);

    /** How long money that other calls hold is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** As long as a reply usually is; a call takes more only from what others leave. */
    private static final long USUAL_OUTPUT = 4_096;

    private static final int LONGEST_ERROR = 64 << 10;
    private static final int PIECE = 16 << 10;

    /** What all calls share. */
    record Surroundings(
            PaidCalls paid,
            ProviderClient provider,
            PromptTokenBounds counts,
            InstantSource clock) {}

    private final Surroundings around;
    private final GatewayAccount account;
    private final GatewayWire wire;
    private final ModelChoice model;
    private final CallBody body;
    private final Cancellation cancellation;

    GatewayCall(
            Surroundings around,
            GatewayAccount account,
            GatewayWire wire,
            ModelChoice model,
            CallBody body,
            Cancellation cancellation) {
        this.around = around;
        this.account = account;
        this.wire = wire;
        this.model = model;
        this.body = body;
        this.cancellation = cancellation;
    }

    /** Asks and answers; a refusal is for the caller to write. */
    void run(LoopbackExchange exchange, String path) throws IOException, RefusedCall {
        WireRules rules = wire.rules();
        PromptImages images = rules.check(body);
        Output output = rules.output(body, model.endpoint());
        Measured prompt =
                around.counts().measure(account.agent(), model.card().name(), wire, body, images);
        CallPrices prices =
                new CallPrices(model.card(), rules.percent(body), rules.keepsCacheLonger(body));
        PaidCall paid = admitted(output, prompt, prices.forPrompt(prompt.atMost()));
        CallBooking booking =
                new CallBooking(around.paid(), around.counts(), account, paid, prices, prompt);
        try {
            BodyEditor edits = new BodyEditor(body);
            rules.bound(body, model.endpoint(), edits, paid.output() / output.answers());
            String named = model.endpoint().model();
            if (wire != GatewayWire.GOOGLE
                    && !body.root().path("model").asString("").equals(named)) {
                edits.set(CallBody.JSON.writeValueAsString(named), "model");
            }
            ask(exchange, path, edits.applied(), booking);
        } finally {
            // Where nobody has booked yet, something failed that may have been charged.
            booking.book(Usage.NONE.atLeast());
        }
    }

    private PaidCall admitted(Output output, Measured prompt, Prices prices) throws RefusedCall {
        Instant patience = around.clock().instant().plus(PATIENCE);
        while (true) {
            Optional<String> held = account.listener().held();
            if (held.isPresent()) {
                throw new RefusedCall(held.get());
            }
            Admission admission =
                    around.paid()
                            .begin(
                                    account.who(),
                                    account.listener().session(),
                                    model.card(),
                                    "turn",
                                    demand(output, prompt.atMost(), prices));
            switch (admission) {
                case Admission.Admitted(var call) -> {
                    return call;
                }
                case Admission.Refused(var why, var until) -> throw new RefusedCall(why, until);
                case Admission.Held(var askAgain) -> {
                    Instant now = around.clock().instant();
                    if (cancellation.isCancelled() || now.isAfter(patience)) {
                        throw new RefusedCall(
                                "the money that is left is held by other calls under way",
                                askAgain);
                    }
                    cancellation.await(Duration.between(now, askAgain));
                }
            }
        }
    }

    /** Not all that is left for one call, or those beside it would have to wait for its end. */
    private CallDemand demand(Output output, long prompt, Prices prices) {
        long wanted = output.all();
        OptionalLong left = around.paid().left(account.agent());
        if (left.isPresent()) {
            long fair = prices.outputWithin(left.getAsLong() / 2, prompt);
            wanted = Math.min(wanted, Math.max(fair, USUAL_OUTPUT * output.answers()));
        }
        long least = Math.min(output.leastOfAll(), output.all());
        return new CallDemand(prices, prompt, least, Math.max(wanted, least));
    }

    private void ask(LoopbackExchange exchange, String path, byte[] sent, CallBooking booking)
            throws IOException, RefusedCall {
        HttpResponse<InputStream> response;
        try {
            cancellation.beginAsking();
            response = around.provider().ask(wire, model.endpoint(), path, exchange, sent);
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException e) {
            // Only a request that reached no server costs nothing for certain.
            over(booking, Usage.NONE);
            unanswered(exchange, "cannot be reached");
            return;
        } catch (IOException | InterruptedException e) {
            over(booking, Usage.NONE.atLeast());
            LOG.debug("model={} a call got no answer", model.card().name(), e);
            unanswered(exchange, "does not answer");
            return;
        }
        if (response.statusCode() / 100 == 2) {
            pass(exchange, response, booking);
        } else {
            passError(exchange, response, booking);
        }
    }

    private void over(CallBooking booking, Usage usage) {
        cancellation.endAsking();
        booking.book(usage);
    }

    /** Piece by piece as it comes; what it cost is stored before its end is passed on. */
    private void pass(
            LoopbackExchange exchange, HttpResponse<InputStream> response, CallBooking booking)
            throws IOException {
        boolean events =
                response.headers()
                        .firstValue("content-type")
                        .orElse("")
                        .startsWith("text/event-stream");
        boolean dropsUsage =
                events
                        && wire == GatewayWire.CHAT
                        && !body.root()
                                .path("stream_options")
                                .path("include_usage")
                                .asBoolean(false);
        UsageMeter reader = null;
        try (InputStream from = response.body()) {
            OutputStream to =
                    exchange.respond(
                            response.statusCode(),
                            ProviderClient.passedBack(response, model.endpoint()));
            reader = new UsageMeter(wire, events, dropsUsage ? to : null);
            byte[] piece = new byte[PIECE];
            for (int got = from.read(piece); got >= 0; got = from.read(piece)) {
                if (!dropsUsage) {
                    to.write(piece, 0, got);
                    to.flush();
                }
                reader.see(piece, got);
            }
            reader.end();
        } finally {
            over(booking, reader == null ? Usage.NONE.atLeast() : reader.usage());
        }
    }

    /** The provider's own words, without the key that some of them repeat. */
    private void passError(
            LoopbackExchange exchange, HttpResponse<InputStream> response, CallBooking booking)
            throws IOException, RefusedCall {
        String words;
        try (InputStream from = response.body()) {
            words = new String(from.readNBytes(LONGEST_ERROR), StandardCharsets.UTF_8);
        } finally {
            over(booking, Usage.NONE);
        }
        if (response.statusCode() == 401) {
            // Programs take this for their own token and ask for another one without end.
            throw new RefusedCall(
                    "the provider refused the runner's key for model %s; put the right one into .env"
                            .formatted(model.card().name()));
        }
        String key = model.endpoint().key();
        String shown = KeyShapes.hidden(key == null ? words : words.replace(key, "***"));
        int status = response.statusCode() / 100 == 3 ? 502 : response.statusCode();
        exchange.respond(status, ProviderClient.passedBack(response, model.endpoint()))
                .write(shown.getBytes(StandardCharsets.UTF_8));
    }

    private void unanswered(LoopbackExchange exchange, String how) throws IOException {
        if (cancellation.isCancelled()) {
            throw new InterruptedIOException("cancelled");
        }
        ModelGateway.write(
                exchange,
                RefusalResponse.unreachable(
                        wire, "the provider of model %s %s".formatted(model.card().name(), how)));
    }
}
