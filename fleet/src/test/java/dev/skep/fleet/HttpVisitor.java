package dev.skep.fleet;

import dev.skep.cli.admin.AdminFile;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Somebody who asks a process over HTTP. */
final class HttpVisitor {
    private final HttpClient client = HttpClient.newHttpClient();
    private final String url;
    private final String name;
    private final String value;

    private HttpVisitor(String url, String name, String value) {
        this.url = url;
        this.name = name;
        this.value = value;
    }

    /** This machine's own command line. */
    static HttpVisitor local(String url, Path dataDir) {
        String secret = AdminFile.read(dataDir).orElseThrow().secret();
        return new HttpVisitor(url, "Authorization", "Bearer " + secret);
    }

    /** Somebody with a key. */
    static HttpVisitor withKey(String url, String key) {
        return new HttpVisitor(url, "Authorization", "Bearer " + key);
    }

    /** A new admin of an org, signed in. */
    HttpVisitor operatorOf(String org, String username) throws IOException, InterruptedException {
        JsonFields added =
                post(
                        "/api/orgs/" + org + "/operators",
                        Map.of("username", username, "role", "admin"));
        String token = added.text("signInPath").replaceFirst(".*#", "");
        HttpResponse<String> session =
                send("POST", "/api/session/link", Json.text(Map.of("token", token)));
        String cookie = session.headers().firstValue("Set-Cookie").orElseThrow();
        return new HttpVisitor(url, "Cookie", cookie.replaceFirst(";.*", ""));
    }

    /** What it proves itself with. */
    String secret() {
        return value.replaceFirst("^(Bearer |[^=]+=)", "");
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, "");
    }

    JsonFields post(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return done("POST", path, body);
    }

    JsonFields change(String path, Map<String, ?> body) throws IOException, InterruptedException {
        return done("PATCH", path, body);
    }

    /** Status and body in a line. */
    String answer(String method, String path, Map<String, ?> body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, path, Json.text(body));
        return answer.statusCode() + " " + answer.body();
    }

    private JsonFields done(String method, String path, Map<String, ?> body)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, path, Json.text(body));
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(path + ": " + answer.body());
        }
        return Json.fields(answer.body());
    }

    /** Status and body in a line. */
    String call(String method, String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = send(method, path, method.equals("GET") ? "" : "{}");
        return answer.statusCode() + " " + answer.body();
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url + path))
                        .timeout(Duration.ofSeconds(10))
                        .header(name, value)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
