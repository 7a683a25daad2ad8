package dev.skep.models.gateway;

import dev.skep.models.provider.IdleTimeoutBody;
import dev.skep.models.provider.ModelEndpoint;
import dev.skep.transport.loopback.LoopbackExchange;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Where calls leave for their provider, with its key: plain HTTP/1.1, nothing compressed, no
 * redirect followed, and of the program's own headers only those listed here.
 */
final class ProviderClient implements AutoCloseable {
    private static final Duration CONNECTING = Duration.ofSeconds(10);

    private static final List<String> SENT_ON =
            List.of(
                    "accept",
                    "content-type",
                    "user-agent",
                    "anthropic-version",
                    "anthropic-beta",
                    "openai-beta",
                    "x-goog-api-client");

    /** What belongs to a connection or to the provider's own pages. */
    private static final Set<String> NOT_PASSED_BACK =
            Set.of(
                    "connection",
                    "keep-alive",
                    "transfer-encoding",
                    "content-length",
                    "content-encoding",
                    "upgrade",
                    "trailer",
                    "set-cookie",
                    "strict-transport-security",
                    "alt-svc");

    private static final Set<String> QUERIES = Set.of("beta=true", "alt=sse");

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECTING)
                    .executor(threads)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    /** Asks; the calling thread may be interrupted, which closes the connection. */
    HttpResponse<InputStream> ask(
            GatewayWire wire,
            ModelEndpoint endpoint,
            String path,
            LoopbackExchange from,
            byte[] body)
            throws IOException, InterruptedException {
        String query = from.query();
        String asked = query != null && QUERIES.contains(query) ? "?" + query : "";
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create(
                                        endpoint.address().replaceFirst("/$", "") + path + asked))
                        .timeout(endpoint.idle())
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        for (String name : SENT_ON) {
            from.header(name).ifPresent(value -> request.header(name, value));
        }
        wire.key(endpoint).forEach(request::header);
        return http.send(request.build(), _ -> new IdleTimeoutBody(endpoint.idle()));
    }

    /** The headers of an answer that go on to the program. */
    static Map<String, String> passedBack(HttpResponse<?> response, ModelEndpoint endpoint) {
        Map<String, String> headers = new HashMap<>();
        String key = endpoint.key();
        response.headers()
                .map()
                .forEach(
                        (name, values) -> {
                            String lower = name.toLowerCase(Locale.ROOT);
                            String value = values.getFirst();
                            if (!lower.startsWith(":")
                                    && !NOT_PASSED_BACK.contains(lower)
                                    && (key == null || !value.contains(key))) {
                                headers.put(lower, value);
                            }
                        });
        return headers;
    }

    @Override
    public void close() {
        http.shutdownNow();
        threads.shutdownNow();
    }
}
