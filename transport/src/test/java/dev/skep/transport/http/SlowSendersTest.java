package dev.skep.transport.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever opens connections and says little or reads nothing is in nobody's way. */
@Timeout(60)
class SlowSendersTest {
    private static final String PROVEN = "Authorization: Bearer mine-OPERATOR\r\n";

    private static TestListener listener(ConnectionLimits limits) {
        return new TestListener(ListenerConfig.loopback(0).with(limits));
    }

    private static ConnectionLimits limits(int all, int strangers, Duration patience) {
        return new ConnectionLimits(all, strangers, patience, patience, patience);
    }

    @Test
    void among_five_thousand_dawdlers_somebody_who_is_signed_in_is_answered_within_a_second()
            throws Exception {
        List<SocketChannel> dawdlers = new ArrayList<>();
        try (TestListener server = listener(limits(4_000, 500, Duration.ofMinutes(5)));
                RawHttp early = new RawHttp(server.listener)) {
            ask(early);
            List<Long> answers = new ArrayList<>();
            for (int i = 0; i < 5_000; i++) {
                dawdlers.add(dawdler(server.listener, i));
                if (i % 250 == 0) {
                    answers.add(timed(() -> ask(early)));
                    answers.add(timed(() -> askAnew(server.listener)));
                }
            }
            // Not the very slowest: this machine may do other things too.
            answers.sort(null);
            assertThat(Duration.ofNanos(answers.get(answers.size() * 9 / 10)))
                    .isLessThan(Duration.ofSeconds(1));
            assertThat(server.listener.connections()).isLessThan(600);
        } finally {
            for (SocketChannel dawdler : dawdlers) {
                dawdler.close();
            }
        }
    }

    /** One says nothing, one never ends its head, one its body, and one asks and never reads. */
    private static SocketChannel dawdler(Listener listener, int i) throws IOException {
        SocketChannel socket = SocketChannel.open();
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.port()));
        String said =
                switch (i % 4) {
                    case 0 -> "";
                    case 1 -> "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ";
                    case 2 ->
                            "POST /api/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nx";
                    default -> "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5);
                };
        socket.write(ByteBuffer.wrap(said.getBytes(US_ASCII)));
        return socket;
    }

    @Test
    void a_head_that_does_not_end_in_time_ends_the_connection() throws Exception {
        try (TestListener server = listener(limits(100, 100, Duration.ofMillis(500)));
                RawHttp idle = new RawHttp(server.listener);
                RawHttp trickling = new RawHttp(server.listener)) {
            trickling.send("GET /healthz HTTP/1.1\r\nHost: loc");
            assertThat(trickling.rest()).isEmpty();
            assertThat(idle.rest()).isEmpty();
        }
    }

    @Test
    void a_stranger_who_never_ends_the_body_or_the_next_head_is_cut_off() throws Exception {
        try (TestListener server = listener(limits(100, 100, Duration.ofMillis(500)));
                RawHttp body = new RawHttp(server.listener);
                RawHttp second = new RawHttp(server.listener)) {
            body.send("POST /api/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx");
            second.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            second.answer("ok\n");
            second.send("GET /hea");
            assertThat(second.rest()).isEmpty();
            assertThat(body.rest()).doesNotContain("200 OK");
        }
    }

    @Test
    void where_all_places_are_taken_those_leave_first_who_have_proven_nothing() throws Exception {
        try (TestListener server = listener(limits(20, 5, Duration.ofMinutes(5)));
                RawHttp proven = new RawHttp(server.listener);
                RawHttp stranger = new RawHttp(server.listener)) {
            ask(proven);
            List<RawHttp> crowd = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                crowd.add(new RawHttp(server.listener));
            }
            assertThat(stranger.rest()).isEmpty();
            assertThat(crowd.getFirst().rest()).isEmpty();
            ask(proven);
            assertThat(server.listener.connections()).isLessThanOrEqualTo(7);
            for (RawHttp each : crowd) {
                each.close();
            }
        }
    }

    @Test
    void one_address_never_has_all_places_however_much_it_proves() throws Exception {
        try (TestListener server = listener(limits(20, 5, Duration.ofMinutes(5)))) {
            List<RawHttp> proven = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                RawHttp next = new RawHttp(server.listener);
                proven.add(next);
                ask(next);
            }
            assertThat(server.listener.connections()).isLessThanOrEqualTo(16);
            for (RawHttp each : proven) {
                each.close();
            }
        }
    }

    private static void ask(RawHttp http) throws IOException {
        http.send("GET /api/orgs/mine/secret HTTP/1.1\r\nHost: localhost\r\n" + PROVEN + "\r\n");
        assertThat(http.answer("{\"org\":\"mine\"}")).startsWith("HTTP/1.1 200");
    }

    private static void askAnew(Listener listener) throws IOException {
        try (RawHttp http = new RawHttp(listener)) {
            ask(http);
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    private static long timed(Step step) throws IOException {
        long begun = System.nanoTime();
        step.run();
        return System.nanoTime() - begun;
    }
}
