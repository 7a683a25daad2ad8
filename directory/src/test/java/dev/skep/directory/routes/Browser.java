package dev.skep.directory.routes;

import dev.skep.directory.DirectoryTestHub;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;

/** Someone's browser: keeps the session's cookie and shows whole answers. */
public final class Browser {
    private final DirectoryTestHub hub;
    private String cookie = "";

    public Browser(DirectoryTestHub hub) {
        this.hub = hub;
    }

    /** Another window with the same session. */
    public Browser copy() {
        Browser copy = new Browser(hub);
        copy.cookie = cookie;
        return copy;
    }

    /** The secret in the session's cookie. */
    public String cookie() {
        return cookie.substring(cookie.indexOf('=') + 1);
    }

    public HttpResponse<String> get(String path) {
        return send("GET", path, Map.of());
    }

    public HttpResponse<String> post(String path, Map<String, ?> body) {
        return send("POST", path, body);
    }

    public HttpResponse<String> send(String method, String path, Map<String, ?> body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.listener.url() + path))
                        .method(
                                method,
                                method.equals("GET")
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofByteArray(Json.bytes(body)));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        try {
            HttpResponse<String> reply = hub.client.send(request.build(), BodyHandlers.ofString());
            reply.headers()
                    .firstValue("Set-Cookie")
                    .ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
            return reply;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
