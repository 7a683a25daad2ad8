package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobsOverHttpTest {
    private static final String OPERATOR = "operator:default";
    private static final String HOST = "host:default:h1";
    private static final String JOBS = "/api/orgs/default/jobs";

    @TempDir Path folder;
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
        hub.beat("h1");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void a_job_goes_from_create_to_result_with_its_output() {
        DispatchTestHub.Answer created = hub.post(OPERATOR, JOBS, shell("echo hi"));
        assertThat(created.status()).isEqualTo(201);
        String job = created.fields().text("id");
        assertThat(created.fields().text("status")).isEqualTo("pending");

        DispatchTestHub.Answer next = hub.post(HOST, "/api/agent/jobs/next", Map.of());
        assertThat(next.status()).isEqualTo(200);
        assertThat(next.fields().text("type")).isEqualTo("shell");
        assertThat(next.fields().object("payload").orElseThrow().text("command"))
                .isEqualTo("echo hi");
        String run = next.fields().text("jobRunId");
        long attempt = next.fields().number("attempt");

        Map<String, Object> printed =
                Map.of(
                        "attempt",
                        attempt,
                        "chunks",
                        List.of(Map.of("n", 0, "stream", "stdout", "text", "hi\n")));
        assertThat(hub.post(HOST, "/api/agent/runs/" + run + "/output", printed).status())
                .isEqualTo(204);
        assertThat(hub.post(HOST, "/api/agent/runs/" + run + "/output", printed).status())
                .isEqualTo(204);
        DispatchTestHub.Answer output =
                hub.get(OPERATOR, JOBS + "/" + job + "/runs/" + run + "/output?after=-1");
        assertThat(output.fields().list("chunks"))
                .singleElement()
                .satisfies(chunk -> assertThat(chunk.text("text")).isEqualTo("hi\n"));

        assertThat(settle(run, attempt, "succeeded")).isEqualTo("applied");
        assertThat(settle(run, attempt, "succeeded")).isEqualTo("repeated");
        JsonFields shown = hub.get(OPERATOR, JOBS + "/" + job).fields();
        assertThat(shown.text("status")).isEqualTo("succeeded");
        assertThat(shown.object("run").orElseThrow().object("result").orElseThrow().number("code"))
                .isZero();
        assertThat(hub.audited).contains("job_created");
    }

    @Test
    void a_job_for_a_host_that_is_offline_waits_for_it() {
        hub.database.write(
                tx -> tx.update("UPDATE host_health SET status = 'offline' WHERE host_id = 'h1'"));
        assertThat(
                        hub.get(OPERATOR, "/api/orgs/default/hosts?status=offline")
                                .fields()
                                .list("hosts"))
                .hasSize(1);

        DispatchTestHub.Answer created = hub.post(OPERATOR, JOBS, shell("true"));
        assertThat(created.status()).isEqualTo(201);
        assertThat(created.fields().text("status")).isEqualTo("pending");

        hub.beat("h1");
        assertThat(hub.post(HOST, "/api/agent/jobs/next", Map.of()).fields().text("jobId"))
                .isEqualTo(created.fields().text("id"));
    }

    @Test
    void a_poll_waits_for_a_job_that_comes_later() throws Exception {
        CompletableFuture<DispatchTestHub.Answer> waiting =
                CompletableFuture.supplyAsync(
                        () -> hub.post(HOST, "/api/agent/jobs/next?wait=20", Map.of()));
        hub.post(OPERATOR, JOBS, shell("true"));

        assertThat(waiting.get(10, TimeUnit.SECONDS).status()).isEqualTo(200);
    }

    @Test
    void a_poll_without_work_is_204() {
        assertThat(hub.post(HOST, "/api/agent/jobs/next", Map.of()).status()).isEqualTo(204);
    }

    @Test
    void the_same_idempotency_key_is_answered_with_the_first_job() {
        Map<String, Object> once =
                Map.of(
                        "hostId",
                        "h1",
                        "type",
                        "shell",
                        "payload",
                        Map.of("command", "true"),
                        "idempotencyKey",
                        "k1");
        DispatchTestHub.Answer first = hub.post(OPERATOR, JOBS, once);
        DispatchTestHub.Answer second = hub.post(OPERATOR, JOBS, once);

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.fields().text("id")).isEqualTo(first.fields().text("id"));
    }

    @Test
    void the_error_names_what_is_wrong() {
        assertThat(hub.post(OPERATOR, JOBS, Map.of("hostId", "nobody", "type", "shell")).status())
                .isEqualTo(404);
        assertThat(
                        hub.post(
                                        OPERATOR,
                                        JOBS,
                                        Map.of(
                                                "serverInstanceId",
                                                "nothing",
                                                "type",
                                                "server.start"))
                                .status())
                .isEqualTo(404);
        DispatchTestHub.Answer badType =
                hub.post(OPERATOR, JOBS, Map.of("hostId", "h1", "type", "Rm -rf"));
        assertThat(badType.status()).isEqualTo(400);
        assertThat(badType.code()).isEqualTo("bad_request");
        assertThat(hub.post(OPERATOR, JOBS, Map.of("hostId", "h1", "type", "shell")).body())
                .contains("payload.command");
        assertThat(hub.post(OPERATOR, JOBS, Map.of("hostId", "h1", "typ", "shell")).body())
                .contains("typ");
        assertThat(hub.post("viewer:default", JOBS, shell("true")).status()).isEqualTo(403);
    }

    @Test
    void jobs_are_paged_newest_first() {
        for (int i = 0; i < 5; i++) {
            hub.post(OPERATOR, JOBS, shell("echo " + i));
        }
        DispatchTestHub.Answer first = hub.get(OPERATOR, JOBS + "?limit=2");
        String next = first.fields().text("next");
        DispatchTestHub.Answer second = hub.get(OPERATOR, JOBS + "?limit=3&before=" + next);

        assertThat(first.fields().list("jobs")).hasSize(2);
        assertThat(second.fields().list("jobs")).hasSize(3);
        assertThat(second.body()).contains("echo 2").doesNotContain("echo 4");
        assertThat(hub.get(OPERATOR, JOBS + "?status=running").fields().list("jobs")).isEmpty();
    }

    @Test
    void cancelling_a_running_job_reaches_its_host_with_the_next_beat() {
        String job = hub.post(OPERATOR, JOBS, shell("sleep 100")).fields().text("id");
        JsonFields next = hub.post(HOST, "/api/agent/jobs/next", Map.of()).fields();
        String run = next.text("jobRunId");
        Map<String, Object> beat = Map.of("running", List.of(Map.of("runId", run, "attempt", 1)));
        assertThat(told(beat)).isEqualTo("renewed");

        assertThat(hub.post(OPERATOR, JOBS + "/" + job + "/cancel", Map.of()).status())
                .isEqualTo(200);
        assertThat(told(beat)).isEqualTo("cancel");
        settle(run, 1, "cancelled");
        assertThat(hub.post(OPERATOR, JOBS + "/" + job + "/cancel", Map.of()).status())
                .isEqualTo(409);
        assertThat(hub.post(OPERATOR, JOBS + "/" + job + "/retry", Map.of()).status())
                .isEqualTo(201);
        assertThat(hub.get(OPERATOR, JOBS + "/" + job + "/runs").fields().list("runs")).hasSize(2);
    }

    @Test
    void a_server_belongs_to_one_host_and_its_jobs_go_there() {
        Map<String, Object> wanted =
                Map.of("hostId", "h1", "name", "web", "spec", Map.of("command", "serve"));
        DispatchTestHub.Answer created = hub.post(OPERATOR, "/api/orgs/default/servers", wanted);
        assertThat(created.status()).isEqualTo(201);
        String server = created.fields().text("id");
        assertThat(hub.post(OPERATOR, "/api/orgs/default/servers", wanted).status()).isEqualTo(409);

        assertThat(
                        hub.post(
                                        OPERATOR,
                                        JOBS,
                                        Map.of("serverInstanceId", server, "type", "server.start"))
                                .status())
                .isEqualTo(201);
        JsonFields next = hub.post(HOST, "/api/agent/jobs/next", Map.of()).fields();
        assertThat(next.text("serverInstanceId")).isEqualTo(server);
        assertThat(
                        next.object("payload")
                                .orElseThrow()
                                .object("spec")
                                .orElseThrow()
                                .text("command"))
                .isEqualTo("serve");

        hub.post(HOST, "/api/agent/heartbeat", Map.of("servers", Map.of(server, "running")));
        String one = "/api/orgs/default/servers/" + server;
        assertThat(hub.get(OPERATOR, one).fields().text("state")).isEqualTo("running");
        assertThat(hub.call("DELETE", OPERATOR, one, null).status()).isEqualTo(409);
        hub.post(HOST, "/api/agent/heartbeat", Map.of("servers", Map.of(server, "stopped")));
        assertThat(hub.call("DELETE", OPERATOR, one, null).status()).isEqualTo(204);
        assertThat(hub.get(OPERATOR, one).status()).isEqualTo(404);
    }

    @Test
    void a_server_that_began_anew_between_two_beats_is_new_and_one_that_did_not_is_not() {
        String server =
                hub.post(
                                OPERATOR,
                                "/api/orgs/default/servers",
                                Map.of(
                                        "hostId",
                                        "h1",
                                        "name",
                                        "web",
                                        "spec",
                                        Map.of("command", "serve")))
                        .fields()
                        .text("id");
        Instant before = Instant.now();

        Instant first = since(server, Map.of(server, 3_600));
        assertThat(first).isBetween(before.minusSeconds(3_601), Instant.now().minusSeconds(3_599));
        assertThat(since(server, Map.of(server, 3_601))).isEqualTo(first);
        assertThat(since(server, Map.of())).isEqualTo(first);
        String one = "/api/orgs/default/servers/" + server;
        hub.call("PATCH", OPERATOR, one, Map.of("name", "site"));
        assertThat(since(server, Map.of(server, 3_601))).isEqualTo(first);

        assertThat(since(server, Map.of(server, 0))).isAfterOrEqualTo(before);
        assertThat(since(server, Map.of(server, Long.MAX_VALUE))).isBefore(first);
    }

    private Instant since(String server, Map<String, Object> ages) {
        hub.post(
                HOST,
                "/api/agent/heartbeat",
                Map.of("servers", Map.of(server, "running"), "serverSeconds", ages));
        return Instant.parse(
                hub.get(OPERATOR, "/api/orgs/default/servers/" + server).fields().text("since"));
    }

    private String told(Map<String, Object> beat) {
        return hub.post(HOST, "/api/agent/heartbeat", beat)
                .fields()
                .list("runs")
                .getFirst()
                .text("do");
    }

    private String settle(String run, long attempt, String status) {
        return hub.post(
                        HOST,
                        "/api/agent/runs/" + run + "/result",
                        Map.of("attempt", attempt, "status", status, "result", Map.of("code", 0)))
                .fields()
                .text("settlement");
    }

    private static Map<String, Object> shell(String command) {
        return Map.of("hostId", "h1", "type", "shell", "payload", Map.of("command", command));
    }
}
