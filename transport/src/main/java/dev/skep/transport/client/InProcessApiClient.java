package dev.skep.transport.client;

import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** The same routes without a socket: what the command line asks when no process runs. */
public final class InProcessApiClient implements ApiClient {
    private final Router router;
    private final Credentials credentials;

    public InProcessApiClient(Router router, Credentials credentials) {
        this.router = router;
        this.credentials = credentials;
    }

    @Override
    public Answer call(HttpMethod method, String path, Map<String, ?> body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Response response = answer(method, path, Json.bytes(body), out);
        if (response.status() >= 300) {
            throw ProblemDecoder.of(response.status(), out.toByteArray(), path);
        }
        return new Answer(response.status(), out.toByteArray());
    }

    @Override
    public void download(String path, OutputStream out) {
        answer(HttpMethod.GET, path, new byte[0], out);
    }

    private Response answer(HttpMethod method, String path, byte[] body, OutputStream out) {
        URI uri = URI.create(path);
        Response response =
                router.answer(
                        Request.of(
                                method,
                                uri.getPath(),
                                Optional.ofNullable(uri.getRawQuery()).orElse(""),
                                credentials,
                                body));
        try {
            response.body().writeTo(out);
            return response;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        // the dispatch's maker closes what is under it
    }
}
