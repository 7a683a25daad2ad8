package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsOverHttpTest {
    private static final String OPERATOR = "operator:default";
    private static final String HOSTS = "/api/orgs/default/hosts";

    @TempDir Path folder;
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
        hub.post(
                "host:default:h1",
                "/api/agent/heartbeat",
                Map.of(
                        "version",
                        "0.1.0",
                        "metrics",
                        Map.of("cpu", 0.25, "memory", 0.5, "disk", 0.1)));
        hub.beat("h2");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void a_beat_makes_a_host_known_with_its_metrics() {
        JsonFields host = only(hub.get(OPERATOR, HOSTS + "?q=h1"));

        assertThat(host.text("id")).isEqualTo("h1");
        assertThat(host.text("status")).isEqualTo("online");
        assertThat(host.text("agentVersion")).isEqualTo("0.1.0");
        assertThat(host.object("lastMetrics").orElseThrow().decimal("cpu")).contains(0.25);
        assertThat(host.flag("silent")).isFalse();
    }

    @Test
    void what_a_host_allows_is_shown_and_what_it_does_not_is_refused_at_once() {
        assertThat(only(hub.get(OPERATOR, HOSTS + "?q=h1")).has("allows")).isTrue();
        assertThat(only(hub.get(OPERATOR, HOSTS + "?q=h1")).json("allows")).isEmpty();
        // Of a host that does not say, nothing is known.
        assertThat(job("shell").status()).isEqualTo(201);

        beat(List.of("steer", "fly"));
        assertThat(only(hub.get(OPERATOR, HOSTS + "?q=h1")).textList("allows"))
                .containsExactly("steer");
        DispatchTestHub.Answer refused = job("shell");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.fields().text("code")).isEqualTo("no_consent");
        assertThat(refused.fields().text("detail"))
                .contains("h1", "does not allow 'jobs'", "skep allow");
        assertThat(job("agent.pause").status()).isEqualTo(201);
        assertThat(job("agent.rename").fields().text("code")).isEqualTo("no_consent");

        // To decide once is to steer, to decide for always changes a file of the host.
        assertThat(job("agent.approve").status()).isEqualTo(201);
        assertThat(job("agent.deny").status()).isEqualTo(201);
        DispatchTestHub.Answer always = job("agent.approve_always");
        assertThat(always.fields().text("code")).isEqualTo("no_consent");
        assertThat(always.fields().text("detail")).contains("does not allow 'agents'");

        // One beat without it, as of an older runner, changes nothing.
        hub.beat("h1");
        assertThat(job("shell").status()).isEqualTo(409);
        beat(List.of());
        assertThat(job("agent.pause").status()).isEqualTo(409);
        beat(List.of("steer", "jobs"));
        assertThat(job("shell").status()).isEqualTo(201);
    }

    private void beat(List<String> allows) {
        hub.post("host:default:h1", "/api/agent/heartbeat", Map.of("allows", allows));
    }

    private DispatchTestHub.Answer job(String type) {
        return hub.post(
                OPERATOR,
                "/api/orgs/default/jobs",
                Map.of(
                        "hostId",
                        "h1",
                        "type",
                        type,
                        "payload",
                        Map.of(
                                "command",
                                "true",
                                "agent",
                                "ada",
                                "approval",
                                "01JC0000000000000000000001")));
    }

    @Test
    void labels_limits_and_a_name_are_the_operators() {
        Map<String, Object> edit =
                Map.of(
                        "name",
                        "builder",
                        "labels",
                        Map.of("env", "prod", "region", "us"),
                        "maxConcurrent",
                        3,
                        "jobsPerMinute",
                        60);
        DispatchTestHub.Answer edited = hub.call("PATCH", OPERATOR, HOSTS + "/h1", edit);

        assertThat(edited.status()).isEqualTo(200);
        assertThat(edited.fields().text("name")).isEqualTo("builder");
        assertThat(edited.fields().number("maxConcurrent")).isEqualTo(3);
        assertThat(only(hub.get(OPERATOR, HOSTS + "?label=env:prod")).text("id")).isEqualTo("h1");
        assertThat(hub.get(OPERATOR, HOSTS + "?label=env:pr").fields().list("hosts")).isEmpty();
        assertThat(only(hub.get(OPERATOR, HOSTS + "?q=BUILD")).text("id")).isEqualTo("h1");
        assertThat(hub.audited).contains("host_edited");
    }

    @Test
    void a_limit_is_changed_or_taken_away_without_a_word_about_the_other() {
        JsonFields minute = edited(Map.of("jobsPerMinute", 60));
        assertThat(minute.number("maxConcurrent")).isEqualTo(1);
        assertThat(minute.number("jobsPerMinute")).isEqualTo(60);

        JsonFields both = edited(Map.of("maxConcurrent", 3));
        assertThat(both.number("maxConcurrent")).isEqualTo(3);
        assertThat(both.number("jobsPerMinute")).isEqualTo(60);

        JsonFields none = edited(Collections.singletonMap("jobsPerMinute", null));
        assertThat(none.number("maxConcurrent")).isEqualTo(3);
        assertThat(none.optionalNumber("jobsPerMinute")).isEmpty();
    }

    @Test
    void a_host_says_since_when_it_is_known_and_when_it_was_last_edited() {
        JsonFields known = only(hub.get(OPERATOR, HOSTS + "?q=h1"));
        hub.beat("h1");
        JsonFields beaten = only(hub.get(OPERATOR, HOSTS + "?q=h1"));
        assertThat(beaten.text("createdAt")).isEqualTo(known.text("createdAt"));
        assertThat(beaten.text("updatedAt")).isEqualTo(known.text("updatedAt"));

        JsonFields edited = edited(Map.of("name", "builder"));
        assertThat(edited.text("createdAt")).isEqualTo(known.text("createdAt"));
        assertThat(edited.text("updatedAt")).isGreaterThan(known.text("updatedAt"));
    }

    private JsonFields edited(Map<String, Object> edit) {
        return hub.call("PATCH", OPERATOR, HOSTS + "/h1", edit).fields();
    }

    @Test
    void degraded_by_hand_is_shown_and_lasts_through_beats() {
        hub.call("PATCH", OPERATOR, HOSTS + "/h1", Map.of("degraded", true, "reason", "new disk"));
        hub.beat("h1");

        JsonFields host = only(hub.get(OPERATOR, HOSTS + "?status=degraded"));
        assertThat(host.text("degradedReason")).isEqualTo("new disk");
        hub.call("PATCH", OPERATOR, HOSTS + "/h1", Map.of("degraded", false));
        assertThat(hub.get(OPERATOR, HOSTS + "?status=degraded").fields().list("hosts")).isEmpty();
    }

    @Test
    void a_full_disk_degrades_a_host_until_it_is_not() {
        hub.post(
                "host:default:h2", "/api/agent/heartbeat", Map.of("metrics", Map.of("disk", 0.99)));
        JsonFields full = only(hub.get(OPERATOR, HOSTS + "?status=degraded"));
        assertThat(full.text("id")).isEqualTo("h2");
        assertThat(full.text("degradedReason")).isEqualTo("its disk is at 99%");
        hub.post("host:default:h2", "/api/agent/heartbeat", Map.of("metrics", Map.of("disk", 0.5)));
        assertThat(hub.get(OPERATOR, HOSTS + "?status=degraded").fields().list("hosts")).isEmpty();
    }

    @Test
    void a_host_on_which_most_runs_fail_is_degraded_until_they_do_not() {
        for (int i = 0; i < 10; i++) {
            assertThat(statusAfterBeat("h1")).isEqualTo("online");
            run("h1", "failed");
        }
        assertThat(statusAfterBeat("h1")).isEqualTo("degraded");
        assertThat(hub.get(OPERATOR, HOSTS + "/h1").fields().object("host").orElseThrow())
                .extracting(host -> host.text("degradedReason"))
                .isEqualTo("most of its last jobs failed");

        for (int i = 0; i < 9; i++) {
            run("h1", "succeeded");
        }
        assertThat(statusAfterBeat("h1")).isEqualTo("degraded");
        run("h1", "succeeded");
        assertThat(statusAfterBeat("h1")).isEqualTo("online");
    }

    /** Asks for a job, takes it as its host, and reports how it ended. */
    private void run(String host, String status) {
        hub.post(
                OPERATOR,
                "/api/orgs/default/jobs",
                Map.of("hostId", host, "type", "shell", "payload", Map.of("command", "true")));
        String token = "host:default:" + host;
        JsonFields taken = hub.post(token, "/api/agent/jobs/next?wait=30", Map.of()).fields();
        DispatchTestHub.Answer told =
                hub.post(
                        token,
                        "/api/agent/runs/%s/result".formatted(taken.text("jobRunId")),
                        Map.of("attempt", taken.number("attempt"), "status", status));
        assertThat(told.fields().text("settlement")).isEqualTo("applied");
    }

    private String statusAfterBeat(String host) {
        hub.beat(host);
        return only(hub.get(OPERATOR, HOSTS + "?q=" + host)).text("status");
    }

    @Test
    void one_host_comes_with_its_servers_runs_and_connections() {
        hub.post(
                OPERATOR,
                "/api/orgs/default/servers",
                Map.of("hostId", "h1", "name", "web", "spec", Map.of("command", "serve")));
        hub.post(
                OPERATOR,
                "/api/orgs/default/jobs",
                Map.of("hostId", "h1", "type", "shell", "payload", Map.of("command", "true")));
        comingAndGoing("h1", "default", 30);
        comingAndGoing("h1", "elsewhere", 1);

        JsonFields detail = hub.get(OPERATOR, HOSTS + "/h1").fields();
        assertThat(detail.list("servers")).hasSize(1);
        assertThat(detail.list("runs")).hasSize(1);
        List<JsonFields> connections = detail.list("connections");
        assertThat(connections).hasSize(20);
        assertThat(connections.getFirst().text("id")).isEqualTo("default-129");
        assertThat(connections.getLast().text("nodeId")).isEqualTo("n0");
        assertThat(hub.get(OPERATOR, HOSTS + "/nobody").status()).isEqualTo(404);
    }

    @Test
    void hosts_are_paged_by_id() {
        List<JsonFields> first = hub.get(OPERATOR, HOSTS + "?limit=1").fields().list("hosts");
        List<JsonFields> second =
                hub.get(OPERATOR, HOSTS + "?limit=1&after=h1").fields().list("hosts");

        assertThat(first.getFirst().text("id")).isEqualTo("h1");
        assertThat(second.getFirst().text("id")).isEqualTo("h2");
    }

    @Test
    void a_host_of_one_org_cannot_beat_as_one_of_another() {
        assertThat(hub.post("host:elsewhere:h1", "/api/agent/heartbeat", Map.of()).status())
                .isEqualTo(403);
    }

    /** As they arrive by sync: two nodes that come and go in turn. */
    private void comingAndGoing(String host, String org, int times) {
        String now = "2026-01-01T00:00:00.000000Z";
        hub.database.write(
                tx -> {
                    for (String node : List.of("n0", "n1")) {
                        tx.update(
                                """
                                INSERT INTO nodes (id, machine, cwd, port, status, registered_at,
                                    last_seen_at, org_id, host_id, ver, created_at, updated_at)
                                VALUES (?, 'm', '/', 1, 'active', ?, ?, ?, ?, 1, ?, ?)
                                ON CONFLICT DO NOTHING""",
                                node,
                                now,
                                now,
                                org,
                                host,
                                now,
                                now);
                    }
                    for (int i = 0; i < times; i++) {
                        tx.update(
                                """
                                INSERT INTO connections (id, node_id, event, ts, org_id, host_id,
                                    ver, created_at, updated_at)
                                VALUES (?, ?, 'registered', ?, ?, ?, 1, ?, ?)""",
                                org + "-" + (100 + i),
                                "n" + i % 2,
                                now,
                                org,
                                host,
                                now,
                                now);
                    }
                    return true;
                });
    }

    private static JsonFields only(DispatchTestHub.Answer answer) {
        List<JsonFields> hosts = answer.fields().list("hosts");
        assertThat(hosts).hasSize(1);
        return hosts.getFirst();
    }
}
