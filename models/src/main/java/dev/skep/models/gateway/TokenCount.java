package dev.skep.models.gateway;

import dev.skep.models.provider.KeyShapes;
import dev.skep.transport.loopback.LoopbackExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Passes on the question how long a prompt is, which providers answer for nothing. */
record TokenCount(ProviderClient provider, GatewayWire wire, ModelChoice model, CallBody body) {
    private static final int LONGEST = 64 << 10;

    void run(LoopbackExchange exchange) throws IOException {
        BodyEditor edits = new BodyEditor(body);
        String named = model.endpoint().model();
        String path = "/messages/count_tokens";
        if (wire == GatewayWire.GOOGLE) {
            path = "/models/%s:countTokens".formatted(named);
        } else if (!body.root().path("model").asString("").equals(named)) {
            edits.set(CallBody.JSON.writeValueAsString(named), "model");
        }
        try {
            HttpResponse<InputStream> response =
                    provider.ask(wire, model.endpoint(), path, exchange, edits.applied());
            try (InputStream from = response.body()) {
                String words = new String(from.readNBytes(LONGEST), StandardCharsets.UTF_8);
                String key = model.endpoint().key();
                int status = response.statusCode();
                exchange.respond(
                                status / 100 == 3 || status == 401 ? 502 : status,
                                ProviderClient.passedBack(response, model.endpoint()))
                        .write(
                                KeyShapes.hidden(key == null ? words : words.replace(key, "***"))
                                        .getBytes(StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("cancelled");
        }
    }
}
