package dev.skep.conformance.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.app.retention.RetentionAssembly;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.cli.config.RetentionConfig;
import dev.skep.directory.module.HostProcess;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.event.EventBus;
import dev.skep.registry.TestRegistry;
import dev.skep.registry.TestRegistryClient;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.store.clock.SteadyClock;
import dev.skep.sync.sql.SqlSyncStore;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class RememberingTest {
    private final TestDatabase kind;
    @TempDir Path folder;
    private TestRegistry testRegistry;

    RememberingTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder).on(kind.create(folder)));
    }

    @AfterEach
    void close() {
        testRegistry.close();
    }

    @Test
    void a_roster_that_cannot_be_read_is_told_and_never_taken_for_an_empty_one() throws Exception {
        try (TestRegistryClient agent = testRegistry.client()) {
            agent.register("a", "here", 7001);
        }
        testRegistry = testRegistry.restarted();
        testRegistry.registry().awaitLoaded();
        testRegistry.database.write(tx -> tx.update("UPDATE nodes SET registered_at = 'long ago'"));
        testRegistry = testRegistry.restarted();
        assertThatThrownBy(testRegistry.registry()::awaitLoaded)
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("a stored node cannot be read");
        assertThatThrownBy(testRegistry.registry()::nodes).hasMessageContaining("long ago");

        testRegistry.database.write(
                tx -> tx.update("UPDATE nodes SET registered_at = '2027-01-01T00:00:00.000000Z'"));
        testRegistry = testRegistry.restarted();
        assertThat(testRegistry.registry().nodes()).hasSize(1);
    }

    @Test
    void after_a_restart_everybody_is_known_and_offline() throws Exception {
        try (TestRegistryClient agent = testRegistry.client()) {
            agent.register("a", "here", 7001);
            testRegistry.clock.advance(Duration.ofSeconds(30));
            agent.ping();
            agent.settle();
        }
        testRegistry = testRegistry.restarted();
        testRegistry.clock.advance(Duration.ofMinutes(5));
        try (TestRegistryClient agent = testRegistry.client();
                TestRegistryClient dashboard = testRegistry.client()) {
            JsonNode node = dashboard.event("init").path("nodes").path(0);
            assertThat(node.path("status").asString()).isEqualTo("offline");
            assertThat(node.path("registered_at").asString())
                    .isEqualTo("2027-01-01T00:00:00.000000Z");
            assertThat(node.path("last_seen_at").asString())
                    .isEqualTo("2027-01-01T00:00:30.000000Z");
            agent.register("b", "here", 7002);
            agent.register("a", "here", 7001);
            JsonNode nodes = dashboard.call("list_nodes", null);
            assertThat(nodes).hasSize(2);
            assertThat(nodes.path(0).path("status").asString()).isEqualTo("active");
            assertThat(nodes.path(0).path("reconnects").asInt()).isEqualTo(1);
            assertThat(nodes.path(0).path("registered_at").asString())
                    .isEqualTo("2027-01-01T00:00:00.000000Z");
        }
    }

    @Test
    void history_tells_when_a_node_came_and_went_newest_first() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (TestRegistryClient agent = testRegistry.client()) {
                agent.register("a", "here", 7001);
                testRegistry.clock.advance(Duration.ofSeconds(10));
            }
            awaitOffline("a");
            testRegistry.clock.advance(Duration.ofSeconds(50));
        }
        try (TestRegistryClient dashboard = testRegistry.client()) {
            assertThat(lines(dashboard, "{\"node_id\":\"a\"}"))
                    .containsExactly(
                            "disconnected 00:02:10",
                            "connected 00:02:00",
                            "disconnected 00:01:10",
                            "connected 00:01:00",
                            "disconnected 00:00:10",
                            "connected 00:00:00");
            JsonNode page = dashboard.call("list_connections", "{\"node_id\":\"a\",\"limit\":4}");
            assertThat(page.path("has_more").asBoolean()).isTrue();
            JsonNode last = page.path("connections").path(3);
            assertThat(last.path("peer_addr").asString()).isEqualTo("127.0.0.1");
            for (String field : List.of("ts", "id")) {
                String before = last.path(field).asString();
                assertThat(
                                lines(
                                        dashboard,
                                        "{\"node_id\":\"a\",\"before\":\"%s\"}".formatted(before)))
                        .containsExactly("disconnected 00:00:10", "connected 00:00:00");
            }
        }
    }

    @Test
    void uptime_continues_after_a_restart_and_counts_nothing_twice() throws Exception {
        try (TestRegistryClient agent = testRegistry.client();
                TestRegistryClient again = testRegistry.client()) {
            agent.register("a", "here", 7001);
            testRegistry.clock.advance(Duration.ofSeconds(100));
            testRegistry.registry().flush();
            testRegistry.registry().flush();
            assertThat(uptime(agent)).isEqualTo(100);
            testRegistry.clock.advance(Duration.ofSeconds(20));
            again.register("a", "here", 7001);
            agent.register("a", "here", 7001);
            assertThat(uptime(agent)).isEqualTo(120);
        }
        awaitOffline("a");
        testRegistry.clock.advance(Duration.ofSeconds(1_000));
        testRegistry = testRegistry.restarted();
        testRegistry.clock.advance(Duration.ofSeconds(1_000));
        try (TestRegistryClient agent = testRegistry.client()) {
            assertThat(uptime(agent)).isEqualTo(120);
            agent.register("a", "here", 7001);
            testRegistry.clock.advance(Duration.ofSeconds(5));
            assertThat(uptime(agent)).isEqualTo(125);
        }
    }

    @Test
    void a_node_offline_for_longer_than_it_is_kept_goes_with_its_history() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard()) {
            try (TestRegistryClient agent = testRegistry.client()) {
                agent.register("a", "here", 7001);
            }
            dashboard.event("node_offline");
            testRegistry.clock.advance(Duration.ofDays(29));
            testRegistry.registry().sweep();
            assertThat(dashboard.statusOf("a")).isEqualTo("offline");
            testRegistry.clock.advance(Duration.ofDays(2));
            testRegistry.registry().sweep();
            assertThat(dashboard.eventLine()).isEqualTo("node_removed a");
            assertThat(dashboard.error("list_connections", "{\"node_id\":\"a\"}"))
                    .isEqualTo("Unknown node");
            assertThat(count("connections")).isZero();
            assertThat(count("stats")).isZero();
            // The removal itself has to reach the hubs before it may be forgotten.
            assertThat(count("nodes")).isEqualTo(1);
            testRegistry.clock.advance(Duration.ofDays(31));
            forgetOld();
            assertThat(count("nodes")).isZero();
        }
    }

    @Test
    void a_clock_that_is_set_forgets_no_node_and_none_of_its_history() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard();
                TestRegistryClient present = testRegistry.client()) {
            present.register("b", "here", 7002);
            dashboard.event("node_joined");
            try (TestRegistryClient agent = testRegistry.client()) {
                agent.register("a", "here", 7001);
            }
            dashboard.event("node_joined");
            dashboard.event("node_offline");
            for (Duration wrong : List.of(Duration.ofDays(400), Duration.ofDays(-800))) {
                testRegistry.setClock(wrong);
                testRegistry.registry().sweep();
                forgetOld();
                assertThat(dashboard.statusOf("a")).isEqualTo("offline");
                assertThat(dashboard.statusOf("b")).isEqualTo("active");
                assertThat(lines(dashboard, "{\"node_id\":\"a\"}")).hasSize(2);
                // The round of the next hour.
                testRegistry.clock.advance(Duration.ofHours(1));
                present.ping();
                present.settle();
            }
        }
    }

    @Test
    void a_node_that_left_keeps_its_history_until_retention_ends() throws Exception {
        try (TestRegistryClient agent = testRegistry.dashboard()) {
            agent.register("a", "here", 7001);
            agent.call("deregister", "{\"id\":\"a\"}");
            assertThat(agent.call("list_nodes", null)).isEmpty();
            assertThat(lines(agent, "{\"node_id\":\"a\"}"))
                    .containsExactly("disconnected 00:00:00", "connected 00:00:00");
            testRegistry = testRegistry.restarted();
        }
        try (TestRegistryClient later = testRegistry.client()) {
            assertThat(later.call("list_nodes", null)).isEmpty();
            assertThat(lines(later, "{\"node_id\":\"a\"}")).hasSize(2);
            testRegistry.clock.advance(Duration.ofDays(31));
            forgetOld();
            assertThat(later.error("list_connections", "{\"node_id\":\"a\"}"))
                    .isEqualTo("Unknown node");
        }
    }

    @Test
    void without_retention_an_offline_node_vanishes_after_its_ttl() throws Exception {
        testRegistry.close();
        testRegistry =
                new TestRegistry(
                        TestRegistry.Options.in(folder)
                                .on(kind.create(folder))
                                .lasting(new NodeTimeouts(Duration.ofSeconds(30), Duration.ZERO)));
        try (TestRegistryClient dashboard = testRegistry.dashboard()) {
            try (TestRegistryClient agent = testRegistry.client()) {
                agent.register("a", "here", 7001);
            }
            dashboard.event("node_offline");
            testRegistry.clock.advance(Duration.ofSeconds(31));
            testRegistry.registry().sweep();
            assertThat(dashboard.eventLine()).isEqualTo("node_removed a");
        }
    }

    @Test
    void without_retention_a_restart_does_not_bring_back_who_is_gone() throws Exception {
        testRegistry.close();
        testRegistry =
                new TestRegistry(
                        TestRegistry.Options.in(folder)
                                .on(kind.create(folder))
                                .lasting(new NodeTimeouts(Duration.ofSeconds(30), Duration.ZERO)));
        try (TestRegistryClient dashboard = testRegistry.dashboard()) {
            try (TestRegistryClient agent = testRegistry.client()) {
                agent.register("a", "here", 7001);
            }
            dashboard.event("node_offline");
        }
        testRegistry.clock.advance(Duration.ofSeconds(31));
        testRegistry = testRegistry.restarted();
        assertThat(testRegistry.registry().nodes()).isEmpty();
    }

    @Test
    void a_beat_is_written_with_the_next_flush_only() throws Exception {
        try (TestRegistryClient agent = testRegistry.client()) {
            agent.register("a", "here", 7001);
            testRegistry.clock.advance(Duration.ofSeconds(20));
            agent.ping();
            agent.settle();
            assertThat(stored("last_seen_at")).startsWith("2027-01-01T00:00:00");
            testRegistry.registry().flush();
            assertThat(stored("last_seen_at")).startsWith("2027-01-01T00:00:20");
            String stamp = stored("ver");
            testRegistry.registry().sweep();
            assertThat(stored("ver")).isEqualTo(stamp);
        }
    }

    private static long uptime(TestRegistryClient client) {
        return client.call("node_stats", "{\"node_id\":\"a\"}").path("total_uptime_sec").asLong();
    }

    private void awaitOffline(String id) throws Exception {
        try (TestRegistryClient dashboard = testRegistry.client()) {
            JsonNode init = dashboard.event("init");
            if (!init.path("nodes").path(0).path("status").asString().equals("offline")) {
                assertThat(dashboard.event("node_offline").path("id").asString()).isEqualTo(id);
            }
        }
    }

    private static List<String> lines(TestRegistryClient client, String params) {
        List<String> lines = new ArrayList<>();
        for (JsonNode line : client.call("list_connections", params).path("connections")) {
            lines.add(
                    line.path("event").asString()
                            + " "
                            + line.path("ts").asString().substring(11, 19));
        }
        return lines;
    }

    private long count(String table) {
        return testRegistry.database.read(
                s -> s.first("SELECT count(*) FROM " + table, row -> row.number(1)).orElseThrow());
    }

    private String stored(String column) {
        return testRegistry.database.read(
                s ->
                        s.first(
                                        "SELECT " + column + " FROM nodes",
                                        row -> String.valueOf(row.textOrNull(1)))
                                .orElseThrow());
    }

    /** An hourly round of what a process forgets by itself. */
    private void forgetOld() {
        var process =
                new HostProcess(
                        testRegistry.database,
                        testRegistry.host,
                        testRegistry.ids,
                        testRegistry.feed,
                        testRegistry.schema.tables(),
                        testRegistry.clock,
                        SteadyClock.open(
                                testRegistry.database, testRegistry.clock, System::nanoTime),
                        testRegistry.ages);
        RetentionAssembly.of(
                        process,
                        new RetentionConfig(Map.of(), OptionalLong.empty()),
                        SqlSyncStore.ofRunner(
                                        testRegistry.database,
                                        testRegistry.schema,
                                        testRegistry.feed,
                                        new EventBus(),
                                        testRegistry.clock)
                                .retention(),
                        List::of,
                        NodeTimeouts.USUAL,
                        Optional.empty(),
                        Optional.empty(),
                        new SizeLimitPurges(),
                        testRegistry.clock)
                .round();
    }
}
