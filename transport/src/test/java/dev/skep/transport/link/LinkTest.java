package dev.skep.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.http.Certificates;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.wire.Message.SyncError;
import dev.skep.wire.WireLimits;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LinkTest {
    @TempDir Path folder;
    private LinkTestHub hub = new LinkTestHub(0);
    private final List<LinkTestRunner> runners = new ArrayList<>();

    @AfterEach
    void close() {
        runners.forEach(LinkTestRunner::close);
        hub.close();
    }

    private LinkTestRunner runner(String name) {
        LinkTestRunner runner = new LinkTestRunner(hub.link(), name);
        runners.add(runner);
        return runner;
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(20, TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void frames_of_every_kind_go_both_ways() throws Exception {
        LinkTestRunner runner = runner("a");
        Link out = next(runner.opened);
        assertThat(next(hub.opened)).isEqualTo("a");
        out.urgent(LinkTestHub.hello("from runner"));
        out.send(LinkTestHub.bulk(3_000_000));
        assertThat(next(hub.received)).contains("from runner");
        assertThat(next(hub.received)).isEqualTo("bulk 3000000");
        Link back = hub.link("a");
        back.send(LinkTestHub.bulk(3_000_000));
        assertThat(next(runner.received)).isEqualTo("bulk 3000000");
        back.urgent(LinkTestHub.hello("from hub"));
        assertThat(next(runner.received)).contains("from hub");
    }

    @Test
    void urgent_frames_overtake_what_waits() throws Exception {
        LinkTestRunner runner = runner("a");
        next(hub.opened);
        Link link = hub.link("a");
        Thread pages =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        for (int i = 0; i < 40; i++) {
                                            link.send(LinkTestHub.bulk(8_000_000));
                                        }
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        assertThat(next(runner.received)).isEqualTo("bulk 8000000");
        link.urgent(LinkTestHub.hello("now"));
        int before = 0;
        while (!next(runner.received).contains("now")) {
            before++;
        }
        // Those on the way already, and the one being written.
        assertThat(before).isLessThan(10);
        pages.join();
    }

    @Test
    void a_runner_comes_back_after_its_hub_was_restarted() throws Exception {
        LinkTestRunner steady = runner("a");
        next(hub.opened);
        int port = hub.port();
        hub.close();
        assertThat(next(steady.closed)).isNotEmpty();
        hub = new LinkTestHub(port);
        assertThat(next(hub.opened)).isEqualTo("a");
        until(() -> steady.dialer.status().connected());
    }

    @Test
    void a_link_that_went_dead_without_a_word_is_left_and_dialled_again() throws Exception {
        try (CuttableLine line = new CuttableLine(hub.link())) {
            LinkTestRunner runner =
                    new LinkTestRunner(
                            line.url(), "a", LinkTestRunner.sockets(Duration.ofMillis(200)));
            runners.add(runner);
            next(hub.opened);
            // The hub is ready first: a line that dies before the runner is, is none to be left.
            next(runner.opened);
            line.goDead();
            assertThat(next(runner.closed)).isEqualTo("the hub is silent");
            assertThat(next(hub.opened)).isEqualTo("a");
        }
    }

    @Test
    void a_link_is_secured_by_the_hubs_certificate() throws Exception {
        ListenerConfig secured =
                new ListenerConfig(
                        "127.0.0.1",
                        0,
                        Optional.of(Certificates.selfSigned(folder, "hub")),
                        false,
                        Set.of(),
                        Set.of(),
                        RequestLimits.USUAL);
        try (LinkTestHub secure = new LinkTestHub(secured)) {
            assertThat(secure.link()).hasScheme("wss");
            LinkTestRunner stranger = new LinkTestRunner(secure.link(), "a");
            runners.add(stranger);
            until(() -> stranger.dialer.status().problem().contains("--tls-trust"));
            SSLContext trusted = Certificates.trusting();
            SocketDialer trusting =
                    new SocketDialer(LinkDialer.LIMITS, Duration.ofSeconds(10), () -> trusted);
            LinkTestRunner runner = new LinkTestRunner(secure.link(), "b", trusting);
            runners.add(runner);
            next(runner.opened).send(LinkTestHub.hello("in private"));
            assertThat(next(secure.received)).contains("in private");
            assertThat(secure.opened).containsExactly("b");
        }
    }

    @Test
    void a_hub_that_is_not_there_yet_is_tried_until_it_is() throws Exception {
        int port = hub.port();
        URI link = hub.link();
        hub.close();
        LinkTestRunner early = new LinkTestRunner(link, "a");
        runners.add(early);
        until(() -> early.dialer.status().problem().contains("cannot reach"));
        hub = new LinkTestHub(port);
        assertThat(next(hub.opened)).isEqualTo("a");
    }

    @Test
    void a_stranger_is_refused_before_the_socket_opens() throws Exception {
        LinkTestRunner stranger = runner("stranger");
        until(() -> stranger.dialer.status().problem().contains("401"));
        assertThat(hub.server.count()).isZero();
    }

    @Test
    void a_late_close_of_a_replaced_link_leaves_the_new_one_alone() throws Exception {
        LinkTestRunner first = runner("a");
        next(hub.opened);
        try (RawSocket second = RawSocket.open(hub.port(), "a")) {
            assertThat(next(hub.opened)).isEqualTo("a");
            assertThat(next(first.closed)).contains("another link");
            first.close();
            assertThat(next(hub.closed)).isEqualTo("a");
            assertThat(hub.liveCount()).isEqualTo(1);
            second.text("{\"type\":\"hello\",\"text\":\"still here\"}");
            assertThat(next(hub.received)).contains("still here");
        }
    }

    @Test
    void a_message_without_a_handler_is_refused() throws Exception {
        try (RawSocket odd = RawSocket.open(hub.port(), "odd")) {
            odd.text("{\"type\":\"launch_missiles\"}");
            assertThat(odd.readText()).contains(SyncError.BAD_MESSAGE);
        }
        assertThat(next(hub.closed)).isEqualTo("odd");
    }

    @Test
    void a_frame_of_a_hundred_megabytes_is_refused_long_before_its_end() throws Exception {
        Thread sending;
        try (RawSocket huge = RawSocket.open(hub.port(), "huge")) {
            huge.binaryHeader(100L << 20);
            sending = Thread.ofVirtual().start(() -> huge.pour(100 << 20));
            assertThat(huge.readText())
                    .contains(SyncError.FRAME_TOO_LARGE)
                    .contains("%,d".formatted(WireLimits.MESSAGE));
            assertThat(huge.poured()).isLessThan(40 << 20);
        }
        sending.join();
    }

    @Test
    void a_peer_that_does_not_read_blocks_no_other() throws Exception {
        try (RawSocket deaf = RawSocket.open(hub.port(), "deaf")) {
            assertThat(next(hub.opened)).isEqualTo("deaf");
            deaf.text("{\"type\":\"hello\",\"text\":\"I only talk\"}");
            Link stuck = hub.link("deaf");
            Thread sender =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            while (stuck.send(LinkTestHub.bulk(1_000_000))) {
                                                // until it is cut
                                            }
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            LinkTestRunner runner = runner("a");
            assertThat(next(hub.opened)).isEqualTo("a");
            hub.link("a").urgent(LinkTestHub.hello("you hear me"));
            assertThat(next(runner.received)).contains("you hear me");
            // Urgent frames never wait: so many of them unread mean that nobody reads.
            while (stuck.urgent(LinkTestHub.hello("do you hear me"))) {
                // until it is cut
            }
            assertThat(sender.join(Duration.ofSeconds(20))).isTrue();
            assertThat(next(hub.closed)).isEqualTo("deaf");
        }
    }

    @Test
    void messages_that_a_broken_link_did_not_carry_are_reported() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        try (RawSocket deaf = RawSocket.open(hub.port(), "deaf")) {
            assertThat(next(hub.opened)).isEqualTo("deaf");
            deaf.text("{\"type\":\"hello\",\"text\":\"I only talk\"}");
            Link stuck = hub.link("deaf");
            // More than the buffers of two sockets hold.
            String much = "x".repeat(100_000);
            for (int i = 0; i < 500; i++) {
                stuck.urgent(LinkTestHub.hello(much), told::countDown);
            }
            assertThat(told.getCount()).isEqualTo(1);
        }
        assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Half a request, then nothing: what a scanner leaves behind. */
    @Test
    void a_connection_that_never_asks_does_not_matter() throws Exception {
        try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), hub.port())) {
            OutputStream out = silent.getOutputStream();
            out.write("GET /link HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            runner("a");
            assertThat(next(hub.opened)).isEqualTo("a");
        }
    }

    /** Ends with the test's patience. */
    private static void until(BooleanSupplier holds) throws InterruptedException {
        while (!holds.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("it did not come about");
            }
            Thread.onSpinWait();
        }
    }
}
