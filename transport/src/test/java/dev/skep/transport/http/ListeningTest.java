package dev.skep.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListeningTest {
    private final TestListener server =
            new TestListener(
                    ListenerConfig.loopback(0).with(new RequestLimits(1_000, 1_000, 1_000)));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void health_readiness_and_figures_are_served() {
        assertThat(server.get("/healthz").body()).isEqualTo("ok\n");
        assertThat(server.get("/readyz").statusCode()).isEqualTo(200);
        assertThat(server.get("/metrics").body())
                .contains("skep_http_requests_seconds_count")
                .contains("route=\"/healthz\"");
    }

    @Test
    void figures_are_for_this_machine_or_an_admin() {
        assertThat(server.get("/metrics", "X-Forwarded-For", "192.0.2.1").statusCode())
                .isEqualTo(401);
        assertThat(
                        server.get(
                                        "/metrics",
                                        "X-Forwarded-For",
                                        "192.0.2.1",
                                        "Authorization",
                                        "Bearer a-ADMIN")
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void errors_are_problem_details_with_a_stable_code() {
        HttpResponse<String> reply = server.get("/api/nowhere");
        assertThat(reply.statusCode()).isEqualTo(404);
        assertThat(reply.headers().firstValue("Content-Type")).hasValue(Problem.CONTENT_TYPE);
        assertThat(reply.body()).contains("\"code\":\"not_found\"").contains("\"status\":404");
        assertThat(server.send("DELETE", "/api/echo", "").body()).contains("method_not_allowed");
        assertThat(server.get("/nowhere/at/all").statusCode()).isEqualTo(404);
        assertThat(server.get("/nowhere/at/all").body()).contains("\"code\":\"not_found\"");
    }

    @Test
    void an_unexpected_failure_tells_a_number_and_nothing_else() {
        HttpResponse<String> reply = server.get("/api/broken");
        assertThat(reply.statusCode()).isEqualTo(500);
        assertThat(reply.body()).contains("\"code\":\"internal\"").doesNotContain("secret");
    }

    @Test
    void a_long_body_is_refused_with_or_without_a_length() {
        assertThat(server.send("POST", "/api/echo", "x".repeat(1_000)).body())
                .isEqualTo("{\"size\":1000}");
        assertThat(server.send("POST", "/api/echo", "x".repeat(1_001)).statusCode()).isEqualTo(413);
    }

    @Test
    void a_name_that_somebody_elses_dns_points_here_is_refused() {
        assertThat(server.send("POST", "/api/echo", "", "Host", "evil.example").body())
                .contains("host_not_allowed");
        assertThat(server.send("POST", "/api/echo", "", "Host", "localhost:4280").statusCode())
                .isEqualTo(200);
        assertThat(server.send("POST", "/api/echo", "", "Host", "192.168.0.7").statusCode())
                .isEqualTo(200);
    }

    /** HAProxy sends exactly this, unless it is told a name. */
    @ParameterizedTest
    @ValueSource(strings = {"/healthz", "/readyz"})
    void a_balancer_that_asks_by_no_name_is_answered(String path) throws IOException {
        URI url = URI.create(server.listener.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream()
                    .write("GET %s HTTP/1.0\r\n\r\n".formatted(path).getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(server.get(path, "Host", "hub.example").statusCode()).isEqualTo(200);
    }

    @Test
    void a_web_page_of_another_origin_cannot_send_requests() {
        assertThat(server.send("POST", "/api/echo", "", "Origin", "https://evil.example").body())
                .contains("origin_not_allowed");
        assertThat(server.send("POST", "/api/echo", "", "Origin", "null").statusCode())
                .isEqualTo(403);
        assertThat(
                        server.send("POST", "/api/echo", "", "Origin", server.listener.url())
                                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void another_org_is_answered_like_one_that_does_not_exist() {
        String[] viewer = {"Authorization", "Bearer mine-OPERATOR"};
        assertThat(server.get("/api/orgs/mine/secret", viewer).statusCode()).isEqualTo(200);
        assertThat(server.get("/api/orgs/theirs/secret", viewer).body())
                .isEqualTo(
                        server.get("/api/orgs/nonsense/secret", viewer)
                                .body()
                                .replace("nonsense", "theirs"));
        assertThat(server.get("/api/orgs/mine/secret").statusCode()).isEqualTo(401);
        assertThat(
                        server.get("/api/orgs/mine/secret", "Authorization", "Bearer mine-VIEWER")
                                .statusCode())
                .isEqualTo(403);
    }

    @Test
    void responses_tell_browsers_what_they_may_do() {
        var headers = server.get("/healthz").headers();
        assertThat(headers.firstValue("Content-Security-Policy").orElse(""))
                .contains("frame-ancestors 'none'");
        assertThat(headers.firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(headers.firstValue("Cache-Control")).hasValue("no-store");
        assertThat(headers.firstValue("Server")).isEmpty();
    }

    @Test
    void a_port_in_use_is_reported_in_one_line() {
        assertThatThrownBy(() -> new TestListener(ListenerConfig.loopback(server.listener.port())))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.PORT_IN_USE);
                            assertThat(e.getMessage())
                                    .contains(Integer.toString(server.listener.port()))
                                    .hasLineCount(1);
                        });
    }

    @Test
    void listening_for_others_without_tls_needs_to_be_said() {
        assertThatThrownBy(
                        () ->
                                new ListenerConfig(
                                        "0.0.0.0",
                                        0,
                                        Optional.empty(),
                                        false,
                                        Set.of(),
                                        Set.of(),
                                        RequestLimits.USUAL))
                .hasMessageContaining("TLS");
    }

    @Test
    void one_address_that_asks_too_often_is_slowed_down() {
        try (var strict =
                new TestListener(ListenerConfig.loopback(0).with(new RequestLimits(1_000, 1, 3)))) {
            for (int i = 0; i < 3; i++) {
                assertThat(strict.get("/healthz").statusCode()).isEqualTo(200);
            }
            HttpResponse<String> reply = strict.get("/healthz");
            assertThat(reply.statusCode()).isEqualTo(429);
            assertThat(reply.headers().firstValue("Retry-After")).isPresent();
        }
    }
}
