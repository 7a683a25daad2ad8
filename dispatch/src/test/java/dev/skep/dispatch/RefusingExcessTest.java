package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusingExcessTest {
    private static final String OPERATOR = "operator:default";
    private static final String JOBS = "/api/orgs/default/jobs";
    private static final String POLICY = "/api/orgs/default/job-policy";

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

    private DispatchTestHub.Answer create(String key) {
        return hub.post(
                OPERATOR,
                JOBS,
                Map.of(
                        "hostId",
                        "h1",
                        "type",
                        "shell",
                        "payload",
                        Map.of("command", "true"),
                        "idempotencyKey",
                        key));
    }

    @Test
    void an_org_that_chooses_it_gets_429_for_what_would_have_to_wait() throws Exception {
        assertThat(create("first").status()).isEqualTo(201);
        assertThat(create("waits").status()).as("by itself nothing is refused").isEqualTo(201);
        DispatchTestHub.Answer set =
                hub.call("PATCH", OPERATOR, POLICY, Map.of("refuseExcess", true));
        assertThat(set.status()).as(set.body()).isEqualTo(200);
        assertThat(hub.get(OPERATOR, POLICY).fields().flag("refuseExcess")).isTrue();

        DispatchTestHub.Answer refused = create("third");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.code()).isEqualTo("too_many_requests");
        assertThat(retryAfter()).isNotEmpty();
        assertThat(create("first").status()).as("the same job is no excess").isEqualTo(200);
        Map<String, Object> pause =
                Map.of("hostId", "h1", "type", "agent.pause", "payload", Map.of("agent", "a"));
        assertThat(hub.post(OPERATOR, JOBS, pause).status()).isEqualTo(201);
        assertThat(hub.audited).contains("job_policy_changed");
    }

    @Test
    void only_an_admin_changes_it() {
        assertThat(
                        hub.call("PATCH", "viewer:default", POLICY, Map.of("refuseExcess", true))
                                .status())
                .isEqualTo(403);
        assertThat(hub.get("viewer:default", POLICY).fields().flag("refuseExcess")).isFalse();
    }

    private String retryAfter() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(hub.url() + JOBS))
                        .header("Authorization", "Bearer " + OPERATOR)
                        .header("Content-Type", "application/json")
                        .POST(
                                BodyPublishers.ofString(
                                        "{\"hostId\":\"h1\",\"type\":\"shell\",\"payload\":{\"command\":\"true\"}}"))
                        .build();
        HttpResponse<String> answer = hub.client().send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(429);
        return answer.headers().firstValue("Retry-After").orElse("");
    }
}
