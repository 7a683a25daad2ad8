package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RegisteringTest {
    @TempDir Path folder;
    private TestRegistry testRegistry;

    @BeforeEach
    void open() {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
    }

    @AfterEach
    void close() {
        testRegistry.close();
    }

    @Test
    void the_first_frame_is_the_roster() throws Exception {
        try (TestRegistryClient agent = testRegistry.client();
                TestRegistryClient later = registeredThenConnected(agent)) {
            JsonNode init = later.event();
            assertThat(init.path("event").asString()).isEqualTo("init");
            assertThat(init.path("protocol_version").asString()).isEqualTo("1");
            JsonNode node = init.path("nodes").path(0);
            assertThat(node.path("id").asString()).isEqualTo("a");
            assertThat(node.path("machine").asString()).isEqualTo("here");
            assertThat(node.path("cwd").asString()).isEqualTo("/work");
            assertThat(node.path("port").asInt()).isEqualTo(7001);
            assertThat(node.path("pid").asInt()).isEqualTo(42);
            assertThat(node.path("status").asString()).isEqualTo("active");
            assertThat(node.has("offline_since")).isFalse();
            assertThat(node.path("last_seen").asLong())
                    .isEqualTo(testRegistry.clock.instant().getEpochSecond());
            assertThat(node.path("registered_at").asString())
                    .isEqualTo("2027-01-01T00:00:00.000000Z");
            assertThat(node.path("last_seen_at").asString())
                    .isEqualTo("2027-01-01T00:00:00.000000Z");
            assertThat(node.path("host_id").asString()).isEqualTo(testRegistry.host.id().value());
            assertThat(node.path("reconnects").asInt(-1)).isZero();
        }
    }

    private TestRegistryClient registeredThenConnected(TestRegistryClient agent) throws Exception {
        agent.register("a", "here", 7001);
        return testRegistry.client();
    }

    @Test
    void everybody_is_notified_of_joins_and_leaves_the_caller_included() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard()) {
            try (TestRegistryClient agent = testRegistry.dashboard()) {
                agent.register("a", "here", 7001);
                assertThat(agent.eventLine()).isEqualTo("node_joined a");
                assertThat(dashboard.eventLine()).isEqualTo("node_joined a");
            }
            assertThat(dashboard.eventLine()).isEqualTo("node_offline a");
            JsonNode node = dashboard.call("list_nodes", null).path(0);
            assertThat(node.path("status").asString()).isEqualTo("offline");
            assertThat(node.path("offline_since").asLong())
                    .isEqualTo(testRegistry.clock.instant().getEpochSecond());
        }
    }

    @Test
    void the_node_that_had_the_machine_and_port_before_is_evicted_first() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard();
                TestRegistryClient first = testRegistry.client();
                TestRegistryClient second = testRegistry.client()) {
            first.register("a", "here", 7001);
            second.register("b", "here", 7001);
            assertThat(dashboard.eventLine()).isEqualTo("node_joined a");
            assertThat(dashboard.eventLine()).isEqualTo("node_removed a");
            assertThat(dashboard.eventLine()).isEqualTo("node_joined b");
            second.register("c", "elsewhere", 7001);
            assertThat(dashboard.eventLine()).isEqualTo("node_joined c");
        }
    }

    @Test
    void five_agents_in_one_folder_are_five_nodes() throws Exception {
        List<TestRegistryClient> agents = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            TestRegistryClient agent = testRegistry.client();
            agents.add(agent);
            agent.register("a" + i, "here", 7000 + i);
        }
        assertThat(agents.getFirst().call("list_nodes", null)).hasSize(5);
        agents.forEach(TestRegistryClient::close);
    }

    @Test
    void a_late_close_of_an_old_socket_leaves_the_node_active() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard();
                TestRegistryClient old = testRegistry.client();
                TestRegistryClient now = testRegistry.client()) {
            old.register("a", "here", 7001);
            now.register("a", "here", 7001);
            old.leave();
            dashboard.settle();
            now.settle();
            assertThat(dashboard.statusOf("a")).isEqualTo("active");
            now.leave();
            dashboard.event("node_offline");
            dashboard.event("node_joined");
            dashboard.event("node_offline");
            assertThat(dashboard.statusOf("a")).isEqualTo("offline");
        }
    }

    @Test
    void twenty_reconnects_leave_one_node_and_no_ghost() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard()) {
            for (int i = 0; i < 20; i++) {
                try (TestRegistryClient agent = testRegistry.client()) {
                    agent.register("a", "here", 7001);
                }
            }
            for (int i = 0; i < 20; i++) {
                dashboard.event("node_offline");
            }
            JsonNode nodes = dashboard.call("list_nodes", null);
            assertThat(nodes).hasSize(1);
            assertThat(nodes.path(0).path("status").asString()).isEqualTo("offline");
            assertThat(nodes.path(0).path("reconnects").asInt()).isEqualTo(19);
        }
    }

    @Test
    void of_two_sockets_that_register_one_id_at_once_the_last_one_owns_it() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard();
                TestRegistryClient one = testRegistry.client();
                TestRegistryClient two = testRegistry.client()) {
            List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(
                        one.send("register", TestRegistryClient.registration("a", "here", 7001)));
                answers.add(
                        two.send("register", TestRegistryClient.registration("a", "here", 7001)));
            }
            answers.forEach(
                    answer ->
                            assertThat(
                                            TestRegistryClient.await(answer)
                                                    .path("result")
                                                    .path("status")
                                                    .asString())
                                    .isEqualTo("registered"));
            two.register("a", "here", 7001);
            one.leave();
            two.settle();
            assertThat(dashboard.call("list_nodes", null)).hasSize(1);
            assertThat(dashboard.statusOf("a")).isEqualTo("active");
        }
    }

    @Test
    void an_agent_may_remove_itself_and_no_other() throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard();
                TestRegistryClient agent = testRegistry.client();
                TestRegistryClient other = testRegistry.client()) {
            agent.register("a", "here", 7001);
            other.register("b", "here", 7002);
            assertThat(other.error("deregister", "{\"id\":\"a\"}"))
                    .isEqualTo("Unauthorized: cannot deregister another node");
            assertThat(status(agent, "a")).isEqualTo("deregistered");
            assertThat(agent.error("deregister", "{\"id\":\"b\"}"))
                    .isEqualTo("Unauthorized: cannot deregister another node");
            dashboard.event("node_joined");
            dashboard.event("node_joined");
            assertThat(dashboard.eventLine()).isEqualTo("node_removed a");
            assertThat(status(dashboard, "b")).isEqualTo("deregistered");
            assertThat(status(dashboard, "b")).isEqualTo("not_found");
        }
    }

    @Test
    void a_ping_frame_is_a_sign_of_life() throws Exception {
        try (TestRegistryClient agent = testRegistry.client()) {
            agent.register("a", "here", 7001);
            testRegistry.clock.advance(Duration.ofSeconds(20));
            agent.ping();
            agent.settle();
            assertThat(agent.call("list_nodes", null).path(0).path("last_seen_at").asString())
                    .isEqualTo("2027-01-01T00:00:20.000000Z");
        }
    }

    @Test
    void a_silent_node_is_offline_although_its_socket_is_open_until_it_sends_again()
            throws Exception {
        try (TestRegistryClient dashboard = testRegistry.dashboard();
                TestRegistryClient agent = testRegistry.client()) {
            agent.register("a", "here", 7001);
            testRegistry.clock.advance(Duration.ofSeconds(91));
            testRegistry.registry().sweep();
            dashboard.event("node_offline");
            agent.ping();
            assertThat(dashboard.eventLine()).isEqualTo("node_joined a");
            agent.leave();
            assertThat(dashboard.eventLine()).isEqualTo("node_offline a");
        }
    }

    private static String status(TestRegistryClient client, String id) {
        return client.call("deregister", "{\"id\":\"" + id + "\"}").path("status").asString();
    }
}
