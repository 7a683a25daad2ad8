package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientsBehindProxiesTest {
    private static final TrustedProxies OURS =
            new TrustedProxies(
                    Set.of(
                            CidrBlock.parse("127.0.0.1").orElseThrow(),
                            CidrBlock.parse("10.0.0.0/8").orElseThrow(),
                            CidrBlock.parse("2001:db8::/33").orElseThrow()));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "198.51.100.7 | 192.0.2.1                      | 198.51.100.7",
                "127.0.0.1    | 192.0.2.1                      | 192.0.2.1",
                "127.0.0.1    | 203.0.113.9, 192.0.2.1         | 192.0.2.1",
                "127.0.0.1    | 203.0.113.9, 192.0.2.1, 10.1.2.3 | 192.0.2.1",
                "127.0.0.1    | 10.9.9.9, 10.1.2.3             | 10.9.9.9",
                "127.0.0.1    | nonsense, 10.1.2.3             | 10.1.2.3",
                "127.0.0.1    | 192.0.2.1, nonsense            | 127.0.0.1",
                "127.0.0.1    | 192.0.2.1:4711                 | 192.0.2.1",
                "127.0.0.1    | [2001:db9::1]:4711             | 2001:db9:0:0:0:0:0:1",
                "2001:db8::5  | 192.0.2.1                      | 192.0.2.1",
                "2001:db8:8000::5 | 192.0.2.1                  | 2001:db8:8000::5",
                "11.0.0.1     | 192.0.2.1                      | 11.0.0.1",
                "127.0.0.1    | ''                             | 127.0.0.1"
            })
    void the_client_is_the_last_that_is_no_proxy_of_ours(String peer, String header, String who) {
        assertThat(OURS.client(peer, List.of(header))).isEqualTo(who);
    }

    @Test
    void no_proxy_is_trusted_unless_configured() {
        try (var server = new TestListener(ListenerConfig.loopback(0))) {
            assertThat(server.get("/api/from").body())
                    .contains("\"from\":\"127.0.0.1\"")
                    .contains("\"here\":true");
            assertThat(server.get("/api/from", "X-Forwarded-For", "192.0.2.1").body())
                    .contains("\"from\":\"127.0.0.1\"")
                    .contains("\"here\":false");
        }
    }

    @Test
    void a_cookie_is_for_tls_only_where_a_trusted_proxy_says_so() {
        try (var alone = new TestListener(ListenerConfig.loopback(0));
                var proxied = new TestListener(ListenerConfig.loopback(0).with(OURS))) {
            assertThat(cookie(alone, "https")).doesNotContain("Secure");
            assertThat(cookie(proxied, "http")).doesNotContain("Secure");
            assertThat(cookie(proxied, "https")).contains("Secure");
        }
    }

    private static String cookie(TestListener server, String proto) {
        return server.get("/api/cookie", "X-Forwarded-Proto", proto)
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow();
    }

    @Test
    void behind_a_proxy_of_ours_the_clients_address_counts_and_never_as_this_machine() {
        try (var server =
                new TestListener(
                        ListenerConfig.loopback(0)
                                .with(OURS)
                                .with(new RequestLimits(1_000, 1, 3)))) {
            assertThat(server.get("/api/from", "X-Forwarded-For", "192.0.2.1").body())
                    .contains("\"from\":\"192.0.2.1\"");
            assertThat(server.get("/api/from", "X-Forwarded-For", "127.0.0.1").body())
                    .contains("\"from\":\"127.0.0.1\"")
                    .contains("\"here\":false");
            for (int i = 0; i < 5; i++) {
                server.get("/api/from", "X-Forwarded-For", "192.0.2.1");
            }
            assertThat(server.get("/api/from", "X-Forwarded-For", "192.0.2.1").statusCode())
                    .isEqualTo(429);
            assertThat(server.get("/api/from", "X-Forwarded-For", "192.0.2.2").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_neighbour_who_asks_too_often_keeps_no_authenticated_client_out() {
        try (var server =
                new TestListener(ListenerConfig.loopback(0).with(new RequestLimits(1_000, 1, 3)))) {
            for (int i = 0; i < 5; i++) {
                server.get("/api/from");
            }
            assertThat(server.get("/api/from").statusCode()).isEqualTo(429);
            assertThat(
                            server.get(
                                            "/api/orgs/mine/secret",
                                            "Authorization",
                                            "Bearer mine-OPERATOR")
                                    .statusCode())
                    .isEqualTo(200);
            assertThat(server.send("POST", "/api/proof", "").statusCode()).isEqualTo(200);
        }
    }
}
