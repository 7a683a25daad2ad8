package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skep.dispatch.DispatchTestHub;
import dev.skep.dispatch.job.NewJob;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A webhook can choose events by name beside alerts. */
class WebhooksForEventsTest {
    private static final String WEBHOOKS = "/api/orgs/default/webhooks";
    private static final String ADMIN = "operator:default";

    @TempDir Path folder;
    private final BlockingQueue<JsonFields> received = new LinkedBlockingQueue<>();
    private volatile int status = 204;
    private HttpServer receiver;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    byte[] body = exchange.getRequestBody().readAllBytes();
                    received.add(Json.fields(new String(body, StandardCharsets.UTF_8)));
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    @Test
    void each_event_comes_once_whichever_process_it_happened_in() throws Exception {
        DatabaseUrl shared = PostgresServer.newDatabase();
        try (DispatchTestHub here = new DispatchTestHub(folder, shared);
                DispatchTestHub there = new DispatchTestHub(folder, shared)) {
            here.beat("h1");
            add(here, "job.created");
            List<String> made = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                made.add((i % 2 == 0 ? here : there).create());
            }
            List<String> told = new ArrayList<>();
            while (told.size() < made.size()) {
                told.add(jobOf(next()));
            }
            assertThat(told).containsExactlyInAnyOrderElementsOf(made);
            assertThat(received).isEmpty();
        }
    }

    @Test
    void a_process_without_the_key_of_the_secret_leaves_the_message_to_one_that_has_it()
            throws Exception {
        DatabaseUrl shared = PostgresServer.newDatabase();
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        try (DispatchTestHub there = new DispatchTestHub(elsewhere, shared)) {
            there.beat("h1");
            String id;
            try (DispatchTestHub here = new DispatchTestHub(folder, shared)) {
                id = add(here, "job.created");
            }
            there.create();
            List<JsonFields> sent = List.of();
            while (sent.isEmpty() || sent.getFirst().number("tries") == 0) {
                sent = deliveries(there, id);
            }
            assertThat(sent.getFirst().text("lastError")).contains("secrets.key");
            assertThat(sent.getFirst().text("state")).isEqualTo("waiting");
        }
    }

    @Test
    void a_file_notes_events_only_while_somebody_wants_them() throws Exception {
        try (DispatchTestHub hub = new DispatchTestHub(folder)) {
            hub.beat("h1");
            hub.create();
            assertThat(noted(hub)).isZero();

            String id = add(hub, "job.created");
            String job = hub.create();
            JsonFields told = next();
            assertThat(told.text("type")).isEqualTo("job.created");
            assertThat(jobOf(told)).isEqualTo(job);
            assertThat(told.object("data").orElseThrow().text("orgId")).isEqualTo("default");

            hub.call("DELETE", ADMIN, WEBHOOKS + "/" + id, null);
            long before = noted(hub);
            hub.create();
            assertThat(noted(hub)).isEqualTo(before);
        }
    }

    @Test
    void what_was_noted_before_a_restart_comes_after_it() throws Exception {
        try (DispatchTestHub hub = new DispatchTestHub(folder)) {
            hub.beat("h1");
            add(hub, "job.created");
            hub.dispatch.close();
            hub.create();
        }
        try (DispatchTestHub _ = new DispatchTestHub(folder)) {
            assertThat(next().text("type")).isEqualTo("job.created");
        }
    }

    @Test
    void one_that_does_not_keep_up_has_a_bound_and_its_deliveries_say_what_was_left_out()
            throws Exception {
        try (DispatchTestHub hub = new DispatchTestHub(folder)) {
            hub.beat("h1");
            status = 500;
            String id = add(hub, "job.created");
            NewJob job = NewJob.plain(new HostId("h1"), "shell", "{}");
            hub.dispatch
                    .queue()
                    .create(Actor.local(new OrgId("default")), Collections.nCopies(1_200, job));
            next();
            assertThat(waiting(hub)).isEqualTo(1_000);
            JsonFields last = deliveries(hub, id).getFirst();
            assertThat(last.text("topic")).isEqualTo("events");
            assertThat(last.text("lastError")).contains("left out");
        }
    }

    @Test
    void an_unknown_topic_is_refused_by_name() {
        try (DispatchTestHub hub = new DispatchTestHub(folder)) {
            DispatchTestHub.Answer refused = hub.post(ADMIN, WEBHOOKS, webhook("job.made"));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("job.made").contains("job_run.done");
        }
    }

    private String add(DispatchTestHub hub, String topic) {
        return hub.post(ADMIN, WEBHOOKS, webhook(topic))
                .fields()
                .object("webhook")
                .orElseThrow()
                .text("id");
    }

    private Map<String, Object> webhook(String topic) {
        String url = "http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort());
        return Map.of("kind", "generic", "name", "ci", "url", url, "topics", List.of(topic));
    }

    private static List<JsonFields> deliveries(DispatchTestHub hub, String webhook) {
        return hub.get(ADMIN, WEBHOOKS + "/" + webhook + "/deliveries").fields().list("deliveries");
    }

    private static long noted(DispatchTestHub hub) {
        return number(hub, "SELECT COUNT(*) AS n FROM org_events");
    }

    private static long waiting(DispatchTestHub hub) {
        return number(hub, "SELECT COUNT(*) AS n FROM deliveries WHERE state = 'waiting'");
    }

    private static long number(DispatchTestHub hub, String sql) {
        return hub.database.read(s -> s.first(sql, row -> row.number("n"))).orElseThrow();
    }

    private static String jobOf(JsonFields told) {
        return told.object("data").orElseThrow().text("jobId");
    }

    private JsonFields next() throws InterruptedException {
        return Objects.requireNonNull(received.poll(20, TimeUnit.SECONDS), "nothing came");
    }
}
