package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.event.EventKind;
import dev.skep.dispatch.event.OrgEvent;
import dev.skep.dispatch.event.Subscription;
import dev.skep.kernel.id.OrgId;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was renamed goes on under its earlier name for one version. */
class NamesOfEarlierVersionsTest {
    private static final String OPERATOR = "operator:default";
    private static final String JOBS = "/api/orgs/default/jobs";

    @TempDir Path folder;
    private DispatchTestHub hub;

    @BeforeEach
    void open() {
        hub = new DispatchTestHub(folder);
        hub.beat("h1");
        hub.beat("h2");
    }

    @AfterEach
    void close() {
        hub.close();
    }

    @Test
    void a_run_is_runId_and_jobRunId_for_its_host() {
        hub.create();
        JsonFields run = hub.post("host:default:h1", "/api/agent/jobs/next", Map.of()).fields();
        assertThat(run.text("jobRunId")).isEqualTo(run.text("runId"));
    }

    @Test
    void an_event_has_both_names_of_a_run() throws Exception {
        try (Subscription events =
                hub.dispatch.events().subscribe(new OrgId("default"), Optional.empty())) {
            hub.create();
            hub.post("host:default:h1", "/api/agent/jobs/next", Map.of());
            OrgEvent event = next(events);
            while (!event.type().equals(EventKind.JOB_RUN_STARTED.label())) {
                event = next(events);
            }
            Map<String, Object> data = event.data();
            assertThat(data.get("runId")).isNotNull().isEqualTo(data.get("jobRunId"));
        }
    }

    private static OrgEvent next(Subscription events) throws InterruptedException {
        return Objects.requireNonNull(events.next(Duration.ofSeconds(20)));
    }

    @Test
    void jobs_of_a_host_are_found_by_hostId_and_by_host() {
        hub.create();
        for (String name : new String[] {"hostId", "host"}) {
            assertThat(hub.get(OPERATOR, JOBS + "?" + name + "=h1").fields().list("jobs"))
                    .hasSize(1);
            assertThat(hub.get(OPERATOR, JOBS + "?" + name + "=h2").fields().list("jobs"))
                    .isEmpty();
        }
    }
}
