package dev.skep.models.provider;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.skep.models.ModelReply.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The HTTP request of one model call, as LangChain4j's HTTP client. It runs on the caller's thread
 * and returns when the stream is over, so interrupting that thread cancels it, and failures are
 * known here and not only through LangChain4j's messages.
 */
final class StreamCall implements HttpClient {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LONGEST_ERROR = 64 * 1024;

    private final java.net.http.HttpClient http;
    private final ModelEndpoint endpoint;
    private final StreamInspector streamInspector;
    private final InstantSource clock;

    private @Nullable ProviderError providerError;
    private boolean sent;

    /** The request reached no server, or was refused as a whole. */
    private boolean undelivered;

    private boolean interrupted;
    private int events;

    StreamCall(
            java.net.http.HttpClient http,
            ModelEndpoint endpoint,
            StreamInspector streamInspector,
            InstantSource clock) {
        this.http = http;
        this.endpoint = endpoint;
        this.streamInspector = streamInspector;
        this.clock = clock;
    }

    /** Why there is no whole reply, or null when there is one. */
    @Nullable ProviderError providerError() {
        if (providerError == null && streamInspector.error() != null) {
            return ProviderError.ofEvent(streamInspector.error());
        }
        if (providerError == null && !streamInspector.ended()) {
            return events == 0
                    ? new ProviderError(
                            Failure.MALFORMED, "the answer is not a stream of events", null)
                    : new ProviderError(
                            Failure.CUT_OFF, "the stream ended before the reply did", null);
        }
        return providerError;
    }

    /** Whether it came to asking at all. */
    boolean sent() {
        return sent;
    }

    boolean interrupted() {
        return interrupted;
    }

    /** Whether the provider may have worked on it: it took the request and did not refuse it. */
    boolean mayBeCharged() {
        return sent && !undelivered;
    }

    HttpClientBuilder builder() {
        return new OneCallBuilder(this);
    }

    @Override
    public SuccessfulHttpResponse execute(dev.langchain4j.http.client.HttpRequest request) {
        throw new IllegalStateException("only streams are asked for");
    }

    @Override
    public void execute(
            dev.langchain4j.http.client.HttpRequest request,
            ServerSentEventParser parser,
            ServerSentEventListener listener) {
        sent = true;
        try {
            HttpResponse<InputStream> response =
                    http.send(prepared(request), _ -> new IdleTimeoutBody(endpoint.idle()));
            try (InputStream body = response.body()) {
                if (response.statusCode() / 100 != 2) {
                    undelivered = true;
                    providerError =
                            ProviderError.ofStatus(
                                    response.statusCode(),
                                    new String(
                                            body.readNBytes(LONGEST_ERROR), StandardCharsets.UTF_8),
                                    RetryAfter.of(response.headers(), clock));
                    listener.onError(new HttpException(response.statusCode(), "refused"));
                    return;
                }
                parser.parse(body, new Watching(listener));
                if (providerError() == null) {
                    listener.onClose();
                }
            }
        } catch (IOException e) {
            broken(e);
            listener.onError(e);
        } catch (InterruptedException e) {
            interrupted = true;
            listener.onError(e);
        }
    }

    private HttpRequest prepared(dev.langchain4j.http.client.HttpRequest request) {
        URI address = URI.create(request.url());
        var builder = HttpRequest.newBuilder(address).timeout(endpoint.idle());
        if ("http".equals(address.getScheme())) {
            // an offer to upgrade to HTTP/2 makes some local servers drop the body
            builder.version(java.net.http.HttpClient.Version.HTTP_1_1);
        }
        request.headers()
                .forEach(
                        (name, values) -> {
                            if (endpoint.key() != null || !name.equalsIgnoreCase("authorization")) {
                                values.forEach(value -> builder.header(name, value));
                            }
                        });
        return builder.POST(HttpRequest.BodyPublishers.ofString(request.body())).build();
    }

    private void broken(IOException e) {
        if (e instanceof InterruptedIOException && Thread.interrupted()) {
            interrupted = true;
        } else if (providerError == null) {
            // Only a request that reached no server costs nothing for certain.
            undelivered =
                    e instanceof ConnectException
                            || e instanceof HttpConnectTimeoutException
                            || e instanceof SSLHandshakeException;
            providerError =
                    switch (e) {
                        case IdleTimeoutBody.Stalled stalled ->
                                new ProviderError(Failure.STALLED, stalled.words(), null);
                        case HttpConnectTimeoutException _ ->
                                new ProviderError(
                                        Failure.UNREACHABLE,
                                        endpoint.address() + " does not answer",
                                        null);
                        case java.net.http.HttpTimeoutException _ ->
                                new ProviderError(
                                        Failure.STALLED,
                                        "no answer for %d s".formatted(endpoint.idle().toSeconds()),
                                        null);
                        default ->
                                events > 0
                                        ? new ProviderError(
                                                Failure.CUT_OFF,
                                                "the connection broke in the middle of the reply",
                                                null)
                                        : new ProviderError(
                                                Failure.UNREACHABLE,
                                                "%s cannot be reached: %s"
                                                        .formatted(
                                                                endpoint.address(),
                                                                e.getClass().getSimpleName()),
                                                null);
                    };
        }
    }

    /** Reads each event before LangChain4j does, and passes it on. */
    private final class Watching implements ServerSentEventListener {
        private final ServerSentEventListener next;

        private Watching(ServerSentEventListener next) {
            this.next = next;
        }

        @Override
        public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
            if (providerError != null || !understood(event.data())) {
                return;
            }
            try {
                next.onEvent(event, context);
            } catch (RuntimeException e) {
                malformed(event.data());
            }
        }

        private boolean understood(@Nullable String data) {
            events++;
            if (data == null || data.isBlank()) {
                return false;
            }
            if (data.strip().equals("[DONE]")) {
                streamInspector.end();
                return true;
            }
            try {
                JsonNode event = JSON.readTree(data);
                if (!event.isObject()) {
                    malformed(data);
                    return false;
                }
                streamInspector.see(event);
                return streamInspector.error() == null;
            } catch (JacksonException e) {
                malformed(data);
                return false;
            }
        }

        private void malformed(String data) {
            String shown = data.length() > 80 ? data.substring(0, 80) + "…" : data;
            providerError =
                    new ProviderError(
                            Failure.MALFORMED,
                            "sent what its format does not allow: " + shown.replaceAll("\\s+", " "),
                            null);
        }

        @Override
        public void onError(Throwable failure) {
            if (failure instanceof IOException e) {
                broken(e);
            }
            next.onError(failure);
        }
    }
}
