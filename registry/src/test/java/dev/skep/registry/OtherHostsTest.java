package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.registry.table.RegistryTables;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.ReplicaWriter;
import dev.skep.store.feed.SyncTables;
import dev.skep.testkit.RawWebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OtherHostsTest {
    private static final HostId OTHER = new HostId("01HST0000000000000000000BB");
    private static final String TIME = "2027-01-01T00:00:00.000000Z";

    @TempDir Path folder;
    private TestRegistry testRegistry;
    private TestRegistryClient dashboard;
    private long stamp;
    private String folderThere = "/";

    @BeforeEach
    void open() throws Exception {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
        dashboard = testRegistry.dashboard();
    }

    @AfterEach
    void close() {
        dashboard.close();
        testRegistry.close();
    }

    @Test
    void nodes_of_other_hosts_join_and_leave_as_their_rows_arrive() throws Exception {
        arrived("far", "active", null);
        JsonNode joined = dashboard.event("node_joined").path("node");
        assertThat(joined.path("id").asString()).isEqualTo("far");
        assertThat(joined.path("host_id").asString()).isEqualTo(OTHER.value());
        assertThat(dashboard.statusOf("far")).isEqualTo("active");
        arrived("far", "offline", null);
        assertThat(dashboard.eventLine()).isEqualTo("node_offline far");
        arrived("far", "offline", TIME);
        assertThat(dashboard.eventLine()).isEqualTo("node_removed far");
    }

    @Test
    void a_change_of_a_node_there_is_announced() throws Exception {
        arrived("far", "active", null);
        assertThat(dashboard.eventLine()).isEqualTo("node_joined far");
        folderThere = "/elsewhere";
        arrived("far", "active", null);
        JsonNode updated = dashboard.event("node_updated").path("node");
        assertThat(updated.path("id").asString()).isEqualTo("far");
        assertThat(updated.path("cwd").asString()).isEqualTo("/elsewhere");
    }

    @Test
    void a_dashboard_here_cannot_take_off_what_another_host_owns() throws Exception {
        arrived("far", "active", null);
        dashboard.event("node_joined");
        assertThat(dashboard.error("deregister", "{\"id\":\"far\"}")).startsWith("Unauthorized");
    }

    @Test
    void registering_here_evicts_no_node_there() throws Exception {
        arrived("far", "active", null);
        dashboard.event("node_joined");
        dashboard.register("near", "there", 7001);
        assertThat(dashboard.eventLine()).isEqualTo("node_joined near");
        assertThat(dashboard.call("list_nodes", null)).hasSize(2);
    }

    @Test
    void without_a_link_a_node_there_is_out_of_reach() throws Exception {
        arrived("far", "active", null);
        dashboard.event("node_joined");
        try (RawWebSocket proxy = RawWebSocket.connect(testRegistry.port(), "/ws/agent/far")) {
            RawWebSocket.Frame frame = Objects.requireNonNull(proxy.message());
            assertThat(frame.text()).isEqualTo("{\"error\":\"Agent is offline\"}");
        }
    }

    @Test
    void they_are_known_after_a_restart() throws Exception {
        arrived("far", "active", null);
        dashboard.event("node_joined");
        testRegistry = testRegistry.restarted();
        try (TestRegistryClient later = testRegistry.client()) {
            later.settle();
            assertThat(later.statusOf("far")).isEqualTo("active");
        }
    }

    private void arrived(String id, String status, @Nullable String removedAt) {
        List<SyncTable> all = new ArrayList<>(List.of(HostTable.HOSTS));
        all.addAll(RegistryTables.ALL);
        ReplicaWriter replicaWriter =
                ReplicaWriter.forRunner(
                        new SyncTables(all), new FeedClock(testRegistry.clock, new Random(3)));
        SyncRow row =
                new SyncRow(
                        OTHER.value(),
                        0,
                        ++stamp,
                        RegistryTables.NODES.values(
                                "id, machine, cwd, port, status, registered_at, last_seen_at, offline_since, reconnects, removed_at, created_at, updated_at",
                                id,
                                "there",
                                folderThere,
                                7001L,
                                status,
                                TIME,
                                TIME,
                                status.equals("offline") ? TIME : null,
                                0L,
                                removedAt,
                                TIME,
                                TIME),
                        null);
        testRegistry.database.write(
                transaction ->
                        replicaWriter.apply(
                                transaction,
                                testRegistry.host.org(),
                                List.of(new TableRows(RegistryTables.NODES, List.of(row)))));
        testRegistry.registry().others().changed(OTHER);
    }
}
