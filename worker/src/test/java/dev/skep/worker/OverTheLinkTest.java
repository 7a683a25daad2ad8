package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.kernel.consent.Consents;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.hub.PlainLinks;
import dev.skep.transport.call.CallClient;
import dev.skep.transport.call.HubTransport;
import dev.skep.transport.link.LinkDialer;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverTheLinkTest {
    private static final String TICKET = "host:default:h1";

    @TempDir Path folder;
    private DispatchTestHub hub;
    private final CallClient calls = new CallClient();
    private final AtomicInteger overHttp = new AtomicInteger();
    private final Semaphore asksTheLink = new Semaphore(0);
    private DispatchClient dispatchClient;
    private LinkDialer dialer;

    @BeforeEach
    void open() throws InterruptedException {
        hub = new DispatchTestHub(folder);
        HubTransport http = new HttpHubTransport(hub.client(), hub.url(), () -> TICKET);
        HubTransport link =
                (path, json, timeout, bulk) -> {
                    asksTheLink.release();
                    return calls.post(path, json, timeout, bulk);
                };
        HubTransport counted =
                (path, json, timeout, bulk) -> {
                    overHttp.incrementAndGet();
                    return http.post(path, json, timeout, bulk);
                };
        dispatchClient = new HubDispatchClient(hub.url(), List.of(link, counted), "w1");
        dialer = PlainLinks.dialer(hub.url(), TICKET, calls);
    }

    @AfterEach
    void close() {
        dialer.close();
        hub.close();
    }

    @Test
    void a_run_is_taken_printed_and_reported_over_the_link() throws Exception {
        connect();
        int before = overHttp.get();
        CompletableFuture<AssignedRun> next =
                CompletableFuture.supplyAsync(
                        () -> dispatchClient.next(Duration.ofSeconds(20)).orElseThrow());
        String job = hub.create();

        AssignedRun run = next.get(10, TimeUnit.SECONDS);
        dispatchClient.print(
                run.runId(), run.attempt(), List.of(new OutputChunk(0, "stdout", "hi")));
        dispatchClient.report(run.runId(), run.attempt(), JobResult.succeeded(Map.of()));
        assertThat(hub.get("operator:default", "/api/orgs/default/jobs/" + job).body())
                .contains("\"status\":\"succeeded\"");
        assertThat(overHttp.get()).isEqualTo(before);
    }

    @Test
    void without_a_link_the_same_calls_go_over_http() {
        beat();
        assertThat(dispatchClient.next(Duration.ZERO)).isEmpty();
        assertThat(overHttp.get()).isEqualTo(2);
    }

    @Test
    void a_poll_of_a_link_that_closed_takes_no_work() throws Exception {
        connect();
        CompletableFuture<Boolean> next =
                CompletableFuture.supplyAsync(
                        () -> dispatchClient.next(Duration.ofSeconds(20)).isPresent());
        asksTheLink.acquire();
        dialer.close();
        assertThat(next.handle((taken, broken) -> broken != null).get(10, TimeUnit.SECONDS))
                .isTrue();
        hub.create();

        assertThat(dispatchClient.next(Duration.ofSeconds(5))).isPresent();
    }

    private void connect() throws InterruptedException {
        dialer.start();
        Eventually.holds("the link carries a beat", this::beatsOverTheLink);
    }

    private boolean beatsOverTheLink() throws InterruptedException {
        return calls.post("/api/agent/heartbeat", "{}", Duration.ofSeconds(10), false).isPresent();
    }

    private void beat() {
        dispatchClient.beat(
                new HubCall.Heartbeat(
                        Optional.of("0.1.0"),
                        Optional.empty(),
                        Optional.of("{}"),
                        List.of(),
                        Map.of(),
                        Optional.of(Consents.USUAL.labels())));
    }
}
