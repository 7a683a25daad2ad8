package dev.skep.fleet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Generated from the route table, as the hub itself tells it: whatever somebody without a key sends
 * to any route, it is not our failure, and the answer has our shape.
 */
@Timeout(120)
class StrangersBreakNothingTest {
    @TempDir private Path folder = Path.of("");

    private static List<String> bodies() {
        List<String> bodies =
                new ArrayList<>(
                        List.of(
                                "",
                                "{",
                                "[]",
                                "null",
                                "\"x\"",
                                "{\"a\":",
                                "\u00ff\u00fe{}",
                                "{\"hostId\":\"\u00c3(\"}",
                                "[".repeat(100_000),
                                "{\"a\":" + "9".repeat(10_000) + "}",
                                "{\"a\":1e999999999}"));
        for (String value :
                List.of("\"\"", "\" \"", "null", "1e400", "[[]]", "{}", "\"\\u0000\"", "-1")) {
            bodies.add(
                    """
                    {"hubId":"h","nonce":"n","hostId":%1$s,"publicKey":"k","place":"p","at":"2027-01-01T00:00:00Z",\
                    "signature":"s","currentKey":"k","currentSignature":"s","code":"c","org":%1$s,"username":%1$s,\
                    "password":%1$s,"token":%1$s}"""
                            .formatted(value));
        }
        return bodies;
    }

    @Test
    void whatever_a_stranger_sends_to_any_route_is_no_failure_of_ours() throws IOException {
        try (HubNode hub = HubNode.open(folder.resolve("hub"), 0)) {
            String table = exchange(hub, request("GET", "/api/openapi.json", "", ""));
            JsonNode paths =
                    Json.tree(
                                    table.substring(table.indexOf("\r\n\r\n") + 4)
                                            .getBytes(StandardCharsets.UTF_8))
                            .path("paths");
            int asked = 0;
            for (String path : paths.propertyNames()) {
                for (String method : paths.path(path).propertyNames()) {
                    String upper = method.toUpperCase(Locale.ROOT);
                    boolean isOpen = paths.path(path).path(method).path("security").isEmpty();
                    asked += isOpen ? 1 : 0;
                    for (String id :
                            List.of("x", "%20", "%00", "%", "..", "%ff", "y".repeat(9_000))) {
                        String named = path.replaceAll("\\{[a-z]+}", id);
                        hold(hub, request(upper, named, "", "{}"));
                    }
                    hold(hub, request(upper, path.replaceAll("[{}]", ""), WRONG_KEY, "{}"));
                    for (String body : isOpen ? bodies() : List.<String>of()) {
                        hold(hub, request(upper, path, "", body));
                        hold(hub, request(upper, path, "Content-Type: text/xml\r\n", body));
                    }
                }
            }
            assertThat(asked).isGreaterThan(5);
            for (String path : List.of("/ws", "/ws/agent/x", "/link", "/ws/%", "/link/%00")) {
                hold(hub, request("GET", path, WRONG_KEY, ""));
                hold(hub, request("GET", path, WRONG_KEY + UPGRADE, ""));
                hold(hub, request("POST", path, "Cookie: skep_" + hub.port() + "=x\r\n", "{}"));
            }
        }
    }

    private static final String WRONG_KEY = "Authorization: Bearer wrong\r\n";
    private static final String UPGRADE =
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

    private static void hold(HubNode hub, String request) throws IOException {
        String answer = exchange(hub, request);
        String what = request.lines().findFirst().orElse("") + "\n" + answer;
        assertThat(answer).as(what).startsWith("HTTP/1.1 ");
        assertThat(answer.substring(9, 12)).as(what).isLessThan("500");
        assertThat(answer.toLowerCase(Locale.ROOT))
                .as(what)
                .doesNotContain("<html")
                .doesNotContain("exception")
                .doesNotContain("\tat ");
    }

    private static String request(String method, String path, String headers, String body) {
        String close = headers.contains("Upgrade") ? "" : "Connection: close\r\n";
        return "%s %s HTTP/1.1\r\nHost: localhost\r\n%s%sContent-Length: %d\r\n\r\n%s"
                .formatted(method, path, close, headers, body.length(), body);
    }

    private static String exchange(HubNode hub, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), hub.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }
}
