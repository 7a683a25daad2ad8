package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.call.HubTransport;
import dev.skep.transport.client.BoundedExchange;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A hub over plain HTTP, as any agent in any language would talk to it. */
public final class HttpHubTransport implements HubTransport {
    private final HttpClient client;
    private final String base;
    private final Supplier<String> token;

    /**
     * Over a client that may serve others.
     *
     * @param token asked before every call, so that a new one is used as soon as there is one
     */
    public HttpHubTransport(HttpClient client, String base, Supplier<String> token) {
        this.client = client;
        this.base = base;
        this.token = token;
    }

    @Override
    public Optional<Answer> post(String path, String json, Duration timeout, boolean bulk)
            throws InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(base + path))
                        .header("Authorization", "Bearer " + token.get())
                        .header("Content-Type", "application/json")
                        .timeout(timeout)
                        .POST(BodyPublishers.ofString(json))
                        .build();
        try {
            HttpResponse<String> answer =
                    BoundedExchange.send(
                            client, request, BodyHandlers.ofString(), BoundedExchange.USUAL_BYTES);
            return Optional.of(new Answer(answer.statusCode(), answer.body()));
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.HUB_UNREACHABLE, "hub %s does not answer".formatted(base), e);
        }
    }
}
