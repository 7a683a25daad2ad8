package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.call.HubTransport;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Route;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same promise over a host's link and on the events' socket. */
class OrgsApartOnSocketsTest {
    @TempDir Path folder;
    private TwoOrgs orgs;
    private final CallClient calls = new CallClient();
    private LinkDialer link;

    @BeforeEach
    void open() {
        orgs = new TwoOrgs(folder);
        link = PlainLinks.dialer(orgs.hub.url(), "host:b:host-of-b", calls);
        link.start();
    }

    @AfterEach
    void close() {
        link.close();
        orgs.close();
    }

    @Test
    void every_call_over_a_link_answers_another_orgs_id_like_a_nonsense_id() throws Exception {
        int compared = 0;
        for (Route route : orgs.hub.table().routes()) {
            if (route.method() == HttpMethod.POST && TwoOrgs.namesSomething(route)) {
                HubTransport.Answer theirs = call(route, orgs.ofA);
                HubTransport.Answer nonsense = call(route, TwoOrgs.nonsense());
                assertThat(theirs.status()).as("%s", route).isEqualTo(nonsense.status());
                assertThat(theirs.status()).as("%s", route).isIn(403, 404);
                assertThat(TwoOrgs.masked(theirs.body(), orgs.ofA))
                        .as("%s", route)
                        .isEqualTo(TwoOrgs.masked(nonsense.body(), TwoOrgs.nonsense()));
                compared++;
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(6);
        orgs.assertUntouched();
    }

    @Test
    void a_beat_that_names_another_orgs_run_and_server_is_answered_like_nonsense()
            throws Exception {
        HubTransport.Answer theirs = call("/api/agent/heartbeat", beat(orgs.ofA));
        HubTransport.Answer nonsense = call("/api/agent/heartbeat", beat(TwoOrgs.nonsense()));

        assertThat(theirs.body()).contains("\"do\":\"gone\"");
        assertThat(TwoOrgs.masked(theirs.body(), orgs.ofA))
                .isEqualTo(TwoOrgs.masked(nonsense.body(), TwoOrgs.nonsense()));
        orgs.assertUntouched();
    }

    @Test
    void another_orgs_events_are_refused_like_those_of_a_nonsense_org() throws Exception {
        String theirs = upgrade("/events/default");
        assertThat(theirs).startsWith("HTTP/1.1 404");
        assertThat(theirs.replace("default", "ORG"))
                .isEqualTo(upgrade("/events/" + TwoOrgs.NONSENSE).replace(TwoOrgs.NONSENSE, "ORG"));
    }

    private static Map<String, Object> beat(Map<String, String> ids) {
        return Map.of(
                "running",
                List.of(Map.of("runId", String.valueOf(ids.get("run")), "attempt", 1)),
                "servers",
                Map.of(String.valueOf(ids.get("server")), "crashed"));
    }

    private HubTransport.Answer call(Route route, Map<String, String> ids)
            throws InterruptedException {
        return call(TwoOrgs.path(route, "b", ids), TwoOrgs.body(route, ids));
    }

    private HubTransport.Answer call(String path, Map<String, Object> body) {
        return Eventually.present(
                "the link answers",
                () -> calls.post(path, Json.text(body), Duration.ofSeconds(10), false));
    }

    /** The whole answer to a wish for a socket, without its date. */
    private String upgrade(String path) throws IOException {
        URI hub = URI.create(orgs.hub.url());
        try (Socket socket = new Socket(hub.getHost(), hub.getPort())) {
            String request =
                    """
                    GET %s HTTP/1.1
                    Host: %s
                    Authorization: Bearer operator:b
                    Connection: Upgrade, close
                    Upgrade: websocket
                    Sec-WebSocket-Version: 13
                    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                    """
                            .formatted(path, hub.getAuthority());
            socket.setSoTimeout(5_000);
            socket.getOutputStream()
                    .write(request.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.replaceAll("(?m)^(Date|Content-Length):.*", "");
        }
    }
}
