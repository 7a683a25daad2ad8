package dev.skep.transport.client;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Method;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** The API of another process. */
public final class HttpApi implements Api {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient client;
    private final String base;
    private final Optional<String> bearer;

    /** Closing this leaves the client open; it may serve others. */
    public HttpApi(HttpClient client, String base, Optional<String> bearer) {
        this.client = client;
        this.base = base;
        this.bearer = bearer;
    }

    /** A client fit for this: HTTP/1.1, no redirects, which could carry a key elsewhere. */
    public static HttpClient newClient() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }

    @Override
    public Answer call(Method method, String path, Map<String, ?> body) {
        HttpResponse<byte[]> response =
                send(
                        request(path)
                                .header("Content-Type", "application/json")
                                .method(
                                        method.name(),
                                        method == Method.GET
                                                ? BodyPublishers.noBody()
                                                : BodyPublishers.ofByteArray(Json.bytes(body)))
                                .timeout(TIMEOUT)
                                .build(),
                        BodyHandlers.ofByteArray());
        if (response.statusCode() >= 300) {
            throw Refusals.of(response.statusCode(), response.body(), base);
        }
        return new Answer(response.statusCode(), response.body());
    }

    @Override
    public void download(String path, OutputStream out) {
        HttpResponse<InputStream> response =
                send(request(path).GET().build(), BodyHandlers.ofInputStream());
        try (InputStream in = response.body()) {
            if (response.statusCode() >= 300) {
                throw Refusals.of(response.statusCode(), in.readAllBytes(), base);
            }
            in.transferTo(out);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        bearer.ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    private <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler) {
        try {
            return client.send(request, handler);
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while asking " + base, e);
        }
    }

    private SkepException unreachable(IOException e) {
        String why =
                e instanceof SSLException
                        ? "cannot reach %s: %s".formatted(base, Authorities.refused(e))
                        : "cannot reach %s (%s); check the address and that skep runs there"
                                .formatted(base, e.getClass().getSimpleName());
        return new SkepException(ErrorCode.HUB_UNREACHABLE, why, e);
    }

    @Override
    public void close() {
        // the client is its maker's
    }
}
