package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.host.HostStatus;
import dev.skep.dispatch.view.FleetCountsStore;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountingTheFleetTest {
    @Test
    void hosts_count_by_status_and_runs_while_they_wait_or_run(@TempDir Path folder) {
        try (DispatchTestHub hub = new DispatchTestHub(folder)) {
            hub.beat("h1");
            hub.create();
            hub.create();
            hub.post("host:default:h1", "/api/agent/jobs/next", Map.of());
            Map<String, Object> later =
                    Map.of(
                            "hostId",
                            "h1",
                            "type",
                            "shell",
                            "payload",
                            Map.of("command", "true"),
                            "runAt",
                            "2999-01-01T00:00:00Z");
            assertThat(hub.post("operator:default", "/api/orgs/default/jobs", later).status())
                    .isEqualTo(201);

            FleetCountsStore counts = new FleetCountsStore(hub.database);
            assertThat(counts.hosts(HostStatus.ONLINE)).isEqualTo(1);
            assertThat(counts.hosts(HostStatus.OFFLINE)).isZero();
            assertThat(counts.waiting()).as("one is delayed").isEqualTo(2);
            assertThat(counts.running()).isEqualTo(1);
        }
    }
}
