package dev.skep.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A runner notices a killed hub by the end of the connection alone: no ping is due in an hour. */
@Timeout(60)
class KilledHubTest {
    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private final CountDownLatch over = new CountDownLatch(1);
    private final BlockingQueue<LinkDialer.Status> statuses = new LinkedBlockingQueue<>();

    @AfterEach
    void endWhatIsBusy() {
        over.countDown();
    }

    @Test
    void a_hub_that_closes_its_socket_is_noticed_while_a_handler_is_busy() throws Exception {
        noticesWhileBusy(CuttableLine::cut);
    }

    @Test
    void a_hub_that_resets_its_socket_is_noticed_while_a_handler_is_busy() throws Exception {
        noticesWhileBusy(CuttableLine::reset);
    }

    private interface Ending {
        void of(CuttableLine line) throws IOException;
    }

    private void noticesWhileBusy(Ending ending) throws Exception {
        try (LinkTestHub hub = new LinkTestHub(0);
                CuttableLine line = new CuttableLine(hub.link());
                LinkTestRunner runner = runner(line.url())) {
            next(hub.opened);
            beBusy(runner, hub);

            long began = System.nanoTime();
            ending.of(line);

            assertThat(ended()).isEqualTo("the connection broke");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
            assertThat(next(hub.opened)).isEqualTo("a");
            assertThat(runner.closed).isEmpty();
            over.countDown();
            assertThat(next(runner.closed)).isEqualTo("the connection broke");
        }
    }

    @Test
    void a_killed_process_is_noticed_while_a_handler_is_busy() throws Exception {
        Process hub = start(HubProcess.class);
        try (BufferedReader said =
                        new BufferedReader(
                                new InputStreamReader(
                                        hub.getInputStream(), StandardCharsets.UTF_8));
                LinkTestRunner runner = runner(address(said))) {
            next(runner.received);

            hub.destroyForcibly();
            hub.waitFor();
            long began = System.nanoTime();

            assertThat(ended()).isEqualTo("the connection broke");
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
            over.countDown();
            assertThat(next(runner.closed)).isEqualTo("the connection broke");
        } finally {
            hub.destroyForcibly();
        }
    }

    /** What came before the end is handled first: it may say why the hub closed. */
    @Test
    void the_last_words_of_a_hub_reach_a_busy_handler_before_the_end() throws Exception {
        try (LinkTestHub hub = new LinkTestHub(0);
                LinkTestRunner runner = runner(hub.link())) {
            next(hub.opened);
            beBusy(runner, hub);

            hub.link("a").urgent(LinkTestHub.hello("last words"));
            hub.link("a").close("enough");

            assertThat(ended()).isEqualTo("enough");
            over.countDown();
            assertThat(next(runner.received)).contains("last words");
            assertThat(next(runner.closed)).isEqualTo("enough");
        }
    }

    /** A hub as a process of its own, which greets whoever comes. */
    static final class HubProcess {
        private HubProcess() {}

        public static void main(String[] arguments) throws InterruptedException {
            LinkTestHub hub = new LinkTestHub(0);
            System.out.println(hub.link());
            while (true) {
                hub.link(hub.opened.take()).urgent(LinkTestHub.hello("look at this"));
            }
        }
    }

    /** What it says besides, of its libraries, does not matter. */
    private static URI address(BufferedReader said) throws IOException {
        String line = said.readLine();
        while (!line.startsWith("ws:")) {
            line = said.readLine();
        }
        return URI.create(line);
    }

    private static Process start(Class<?> main) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private LinkTestRunner runner(URI hub) {
        LinkTestRunner runner =
                new LinkTestRunner(hub, "a", LinkTestRunner.sockets(Duration.ofHours(1)));
        runner.whileHearing = this::awaitOver;
        runner.dialer.onStatus(() -> statuses.add(runner.dialer.status()));
        return runner;
    }

    private void beBusy(LinkTestRunner runner, LinkTestHub hub) throws InterruptedException {
        next(runner.opened);
        hub.link("a").urgent(LinkTestHub.hello("look at this"));
        next(runner.received);
    }

    private void awaitOver() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Why the link that was there is not any more. */
    private String ended() throws InterruptedException {
        LinkDialer.Status status = next(statuses);
        while (status.connected()) {
            status = next(statuses);
        }
        return status.problem();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        return Objects.requireNonNull(queue.poll(20, TimeUnit.SECONDS));
    }
}
