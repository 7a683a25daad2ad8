package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a request is answered in one shape, also by what stands before us. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MalformedRequestsTest {
    private static final String HOST = "Host: localhost\r\nConnection: close\r\n";
    private final TestListener server = new TestListener(ListenerConfig.loopback(0));

    @AfterAll
    void close() {
        server.close();
    }

    static Stream<String> requests() {
        Stream<String> paths =
                Stream.of(
                                "/%00",
                                "/%",
                                "/api/%",
                                "/api/%zz",
                                "/api/%2",
                                "/..",
                                "/../../etc/passwd",
                                "/api/..;/x",
                                "/api/%2e%2e/x",
                                "/api/%2F",
                                "/api//echo",
                                "/api/%ff",
                                "/api/%c0%af",
                                "/api/a;b=c",
                                "/api/from?%",
                                "/api/from?a=%zz&b=%ff",
                                "/api/a\\b",
                                "/" + "x".repeat(20_000),
                                "*",
                                "nowhere",
                                "http://[::1/x")
                        .map(path -> "GET " + path + " HTTP/1.1\r\n" + HOST + "\r\n");
        Stream<String> methods =
                Stream.of("BREW", "OPTIONS", "TRACE", "CONNECT", "get", "PATCH", "PRI")
                        .map(method -> method + " /api/echo HTTP/1.1\r\n" + HOST + "\r\n");
        Stream<String> heads =
                Stream.of(
                        "GET /api/from HTTP/1.0\r\n\r\n",
                        "GET /api/from HTTP/1.1\r\n\r\n",
                        "GET /api/from HTTP/9.9\r\n" + HOST + "\r\n",
                        "GET /api/from\r\n\r\n",
                        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n",
                        "GET /api/from HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
                        "GET /api/from HTTP/1.1\r\nHost: \u0000\r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\nHost: localhost:99999999\r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\nHost: \r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\n" + HOST + "bad header\r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\n" + HOST + " folded: x\r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\n" + HOST + "A: \u0001\r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\n" + HOST + "Cookie: =;;=\u00e9\r\n\r\n",
                        "GET /api/x HTTP/1.1\r\n" + HOST + "A: " + "x".repeat(20_000) + "\r\n\r\n",
                        "GET /api/x HTTP/1.1\r\n" + HOST + "A: x\r\n".repeat(5_000) + "\r\n",
                        "POST /api/echo HTTP/1.1\r\n" + HOST + "Content-Length: -1\r\n\r\n",
                        "POST /api/echo HTTP/1.1\r\n" + HOST + "Content-Length: 9x\r\n\r\n",
                        "POST /api/echo HTTP/1.1\r\n"
                                + HOST
                                + "Content-Length: 99999999999999999999\r\n\r\n",
                        "POST /api/echo HTTP/1.1\r\n" + HOST + "Content-Length: 9\r\n\r\nx",
                        "POST /api/echo HTTP/1.1\r\n"
                                + HOST
                                + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                        "POST /api/echo HTTP/1.1\r\n"
                                + HOST
                                + "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
                        "POST /api/echo HTTP/1.1\r\n" + HOST + "Transfer-Encoding: gzip\r\n\r\nabc",
                        "POST /api/nowhere HTTP/1.1\r\n" + HOST + "Expect: tea\r\n\r\n",
                        "GET /api/nowhere HTTP/1.1\r\n"
                                + HOST
                                + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
        return Stream.of(paths, methods, heads).flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void a_malformed_request_is_answered_with_problem_details(String request) throws IOException {
        String answer = RawHttp.exchange(server.listener, request);
        assertThat(answer).startsWith("HTTP/1.1 ").doesNotContainIgnoringCase("<html");
        int status = Integer.parseInt(answer.substring(9, 12));
        assertThat(status).as(answer).isBetween(200, 599).isNotEqualTo(500);
        if (status >= 400) {
            assertThat(answer)
                    .contains("Content-Type: " + Problem.CONTENT_TYPE)
                    .contains("\"code\":\"")
                    .contains("\"status\":" + status)
                    .doesNotContain("Exception")
                    .doesNotContain("\tat ");
        }
    }
}
