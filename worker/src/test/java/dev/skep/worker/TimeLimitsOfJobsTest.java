package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeLimitsOfJobsTest {
    private static final Map<String, Object> TASK = Map.of("agent", "alice", "task", "tidy up");

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
    void a_task_without_a_limit_gets_an_hour_and_its_host_knows_it() {
        DispatchTestHub.Answer created = create("agent.task", TASK, Map.of());
        assertThat(created.fields().number("timeoutSeconds")).isEqualTo(3_600);
        DispatchTestHub.Answer handedOut =
                hub.post(WorkerFixture.HOST, "/api/agent/jobs/next?wait=0&worker=w", Map.of());
        assertThat(handedOut.fields().number("timeoutSeconds")).isEqualTo(3_600);
    }

    @Test
    void a_limit_beside_the_payload_is_the_limit() {
        assertThat(
                        create("agent.task", TASK, Map.of("timeoutSeconds", 90_000))
                                .fields()
                                .number("timeoutSeconds"))
                .isEqualTo(90_000);
        assertThat(
                        create("shell", Map.of("command", "true"), Map.of())
                                .fields()
                                .optionalNumber("timeoutSeconds"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"shell", "agent.task", "agent.pause"})
    void a_limit_inside_the_payload_is_refused_by_name(String type) {
        Map<String, Object> payload = new HashMap<>(TASK);
        payload.put("command", "true");
        payload.put("timeoutSeconds", 600);
        DispatchTestHub.Answer refused = create(type, payload, Map.of());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body())
                .contains("payload.timeoutSeconds has no effect", "beside payload");
    }

    /** What the New-job dialog fills in for somebody to change. */
    @Test
    void what_the_dialog_proposes_is_taken() {
        int taken = 0;
        for (JobKind kind : JobKind.values()) {
            if (kind.form().isPresent() && !kind.type().startsWith("server.")) {
                Object payload = Objects.requireNonNull(Json.raw(kind.form().get().payload()));
                assertThat(create(kind.type(), payload, Map.of()).status())
                        .as(kind.type())
                        .isEqualTo(201);
                taken++;
            }
        }
        assertThat(taken).isGreaterThan(3);
    }

    private DispatchTestHub.Answer create(String type, Object payload, Map<String, Object> terms) {
        Map<String, Object> job = new HashMap<>(terms);
        job.putAll(Map.of("hostId", "h1", "type", type, "payload", payload));
        return hub.post(WorkerFixture.OPERATOR, WorkerFixture.JOBS, job);
    }
}
