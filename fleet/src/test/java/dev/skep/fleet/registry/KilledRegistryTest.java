package dev.skep.fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.registry.TestRegistryClient;
import dev.skep.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Phaser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class KilledRegistryTest {
    private static final int AGENTS = 20;
    private static final int LIVES = 2;

    @TempDir Path folder;

    @Test
    void every_node_that_was_announced_is_there_after_kill_9() throws Exception {
        int port = FreePort.any();
        Set<String> announced = new LinkedHashSet<>();
        for (int round = 0; round < 2; round++) {
            try (RegistryProcess registry = new RegistryProcess(folder, port);
                    TestRegistryClient dashboard = new TestRegistryClient(port)) {
                JsonNode init = dashboard.event("init");
                assertThat(idsOf(init)).containsAll(announced);
                init.path("nodes")
                        .forEach(
                                node ->
                                        assertThat(node.path("status").asString())
                                                .isEqualTo("offline"));
                List<CompletableFuture<Void>> agents = registerForEver(port, round);
                for (int i = 0; i < 200; i++) {
                    announced.add(
                            dashboard.event("node_joined").path("node").path("id").asString());
                }
                registry.kill();
                agents.forEach(CompletableFuture::join);
                for (JsonNode late = dashboard.events.poll();
                        late != null;
                        late = dashboard.events.poll()) {
                    if (late.path("event").asString().equals("node_joined")) {
                        announced.add(late.path("node").path("id").asString());
                    }
                }
            }
        }
        assertThat(announced).hasSizeGreaterThanOrEqualTo(400);
    }

    @Test
    void one_that_keeps_nothing_starts_empty_each_time() throws Exception {
        int port = FreePort.any();
        for (int life = 0; life < 2; life++) {
            try (RegistryProcess registry = new RegistryProcess(folder, port, "--no-persist");
                    TestRegistryClient agent = new TestRegistryClient(port)) {
                assertThat(agent.event("init").path("nodes")).isEmpty();
                agent.register("a", "here", 7001);
                assertThat(agent.call("list_nodes", null)).hasSize(1);
                assertThat(registry.terminate()).isZero();
            }
        }
    }

    @Test
    void agents_and_dashboards_that_stay_find_each_other_again() throws Exception {
        int port = FreePort.any();
        Phaser lives = new Phaser(1);
        List<CompletableFuture<Void>> agents = new ArrayList<>();
        for (int n = 0; n < AGENTS; n++) {
            agents.add(comeBack(port, lives, n));
        }
        for (int life = 0; life < LIVES; life++) {
            try (RegistryProcess registry = new RegistryProcess(folder, port);
                    TestRegistryClient one = new TestRegistryClient(port);
                    TestRegistryClient two = new TestRegistryClient(port)) {
                for (TestRegistryClient dashboard : List.of(one, two)) {
                    assertThat(dashboard.event("init").path("nodes"))
                            .hasSize(life == 0 ? 0 : AGENTS)
                            .allSatisfy(KilledRegistryTest::isOfflineSinceLastSeen);
                }
                lives.arrive();
                assertThat(joined(one)).hasSize(AGENTS);
                assertThat(joined(two)).hasSize(AGENTS);
                int reconnects = life;
                assertThat(one.call("list_nodes", null))
                        .hasSize(AGENTS)
                        .allSatisfy(
                                node -> {
                                    assertThat(node.path("status").asString()).isEqualTo("active");
                                    assertThat(node.path("reconnects").asInt())
                                            .isEqualTo(reconnects);
                                });
                assertHistoryAlternates(one, life);
                if (life < LIVES - 1) {
                    registry.kill();
                    assertThat(one.closed.get()).isEqualTo(1006);
                } else {
                    // Told to end, it says so and ends well.
                    assertThat(registry.terminate()).isZero();
                    assertThat(one.closed.get()).isEqualTo(1001);
                }
            }
        }
        agents.forEach(CompletableFuture::join);
    }

    /** An agent that registers again each time the registry is back. */
    private static CompletableFuture<Void> comeBack(int port, Phaser lives, int number) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread.startVirtualThread(
                () -> {
                    try {
                        for (int life = 0; life < LIVES; life++) {
                            lives.awaitAdvance(life);
                            try (TestRegistryClient agent = new TestRegistryClient(port)) {
                                agent.register("a" + number, "here", 7000 + number);
                                agent.closed.join();
                            }
                        }
                        ended.complete(null);
                    } catch (IOException | RuntimeException | AssertionError failure) {
                        ended.completeExceptionally(failure);
                    }
                });
        return ended;
    }

    private static Set<String> joined(TestRegistryClient dashboard) throws InterruptedException {
        Set<String> ids = new LinkedHashSet<>();
        while (ids.size() < AGENTS) {
            ids.add(dashboard.event("node_joined").path("node").path("id").asString());
        }
        return ids;
    }

    private static void isOfflineSinceLastSeen(JsonNode node) {
        assertThat(node.path("status").asString()).isEqualTo("offline");
        assertThat(node.path("offline_since_at").asString())
                .isEqualTo(node.path("last_seen_at").asString());
    }

    /** The goodbyes that crashes swallowed were made up for. */
    private static void assertHistoryAlternates(TestRegistryClient dashboard, int life) {
        JsonNode lines =
                dashboard.call("list_connections", "{\"node_id\":\"a7\"}").path("connections");
        assertThat(lines).hasSize(2 * life + 1);
        for (int i = 0; i < lines.size(); i++) {
            assertThat(lines.path(i).path("event").asString())
                    .isEqualTo(i % 2 == 0 ? "connected" : "disconnected");
        }
    }

    private static List<CompletableFuture<Void>> registerForEver(int port, int round) {
        List<CompletableFuture<Void>> agents = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            String prefix = "r%d-a%d-".formatted(round, n);
            int number = n;
            CompletableFuture<Void> ended = new CompletableFuture<>();
            agents.add(ended);
            Thread.startVirtualThread(
                    () -> {
                        try (TestRegistryClient agent = new TestRegistryClient(port)) {
                            for (int i = 0; !agent.closed.isDone(); i++) {
                                agent.register(prefix + i, "m%d-%d".formatted(round, number), i);
                            }
                        } catch (IOException | UncheckedIOException | AssertionError killed) {
                            // which ends this
                        } finally {
                            ended.complete(null);
                        }
                    });
        }
        return agents;
    }

    private static Set<String> idsOf(JsonNode init) {
        Set<String> ids = new LinkedHashSet<>();
        init.path("nodes").forEach(node -> ids.add(node.path("id").asString()));
        return ids;
    }
}
