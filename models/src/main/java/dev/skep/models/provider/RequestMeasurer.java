package dev.skep.models.provider;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.nio.charset.StandardCharsets;

/** Takes a request as it would be sent, and sends nothing. */
final class RequestMeasurer implements HttpClient {
    private long bytes;

    /** How long the request's body is. */
    long bytes() {
        return bytes;
    }

    HttpClientBuilder builder() {
        return new OneCallBuilder(this);
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        throw new IllegalStateException("only streams are asked for");
    }

    @Override
    public void execute(
            HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        bytes = request.body().getBytes(StandardCharsets.UTF_8).length;
    }
}
