package dev.skep.transport.client;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** The API of another process. */
public final class HttpApiClient implements ApiClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final long OF_OWN_PROCESS = 64L << 20;

    private final HttpClient client;
    private final String base;
    private final Optional<String> bearer;
    private final long mostBytes;

    /** Closing this leaves the client open; it may serve others. */
    public HttpApiClient(HttpClient client, String base, Optional<String> bearer) {
        this(client, base, bearer, BoundedExchange.USUAL_BYTES);
    }

    private HttpApiClient(HttpClient client, String base, Optional<String> bearer, long mostBytes) {
        this.client = client;
        this.base = base;
        this.bearer = bearer;
        this.mostBytes = mostBytes;
    }

    /** The API of a process of the same user, which may answer with long lists. */
    public static HttpApiClient ofOwnProcess(HttpClient client, String base, String secret) {
        return new HttpApiClient(client, base, Optional.of(secret), OF_OWN_PROCESS);
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
    public Answer call(HttpMethod method, String path, Map<String, ?> body) {
        HttpResponse<byte[]> response =
                gathered(
                        request(path)
                                .header("Content-Type", "application/json")
                                .method(
                                        method.name(),
                                        method == HttpMethod.GET
                                                ? BodyPublishers.noBody()
                                                : BodyPublishers.ofByteArray(Json.bytes(body)))
                                .timeout(TIMEOUT)
                                .build());
        if (response.statusCode() >= 300) {
            throw ProblemDecoder.of(response.statusCode(), response.body(), base);
        }
        return new Answer(response.statusCode(), response.body());
    }

    @Override
    public void download(String path, OutputStream out) {
        HttpResponse<InputStream> response =
                sent(() -> client.send(request(path).GET().build(), BodyHandlers.ofInputStream()));
        try (InputStream in = response.body()) {
            if (response.statusCode() >= 300) {
                throw ProblemDecoder.of(
                        response.statusCode(),
                        in.readNBytes((int) BoundedExchange.USUAL_BYTES),
                        base);
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

    private HttpResponse<byte[]> gathered(HttpRequest request) {
        return sent(
                () -> BoundedExchange.send(client, request, BodyHandlers.ofByteArray(), mostBytes));
    }

    private interface Sending<T> {
        HttpResponse<T> send() throws IOException, InterruptedException;
    }

    private <T> HttpResponse<T> sent(Sending<T> sending) {
        try {
            return sending.send();
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
                        ? "cannot reach %s: %s".formatted(base, CertificateAuthorities.refused(e))
                        : "cannot reach %s (%s); check the address and that skep runs there"
                                .formatted(base, e.getClass().getSimpleName());
        return new SkepException(ErrorCode.HUB_UNREACHABLE, why, e);
    }

    @Override
    public void close() {
        // the client is its maker's
    }
}
