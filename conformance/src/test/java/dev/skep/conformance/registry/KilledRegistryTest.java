package dev.skep.conformance.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class KilledRegistryTest {
    @TempDir Path folder;

    @Test
    void every_node_that_was_announced_is_there_after_kill_9() throws Exception {
        int port = freePort();
        Set<String> announced = new LinkedHashSet<>();
        for (int round = 0; round < 3; round++) {
            try (RegistryProcess registry = new RegistryProcess(folder, port);
                    Client dashboard = new Client(port)) {
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
        assertThat(announced).hasSizeGreaterThanOrEqualTo(600);
    }

    @Test
    void agents_and_dashboards_that_stay_find_each_other_again() throws Exception {
        int port = freePort();
        RegistryProcess first = new RegistryProcess(folder, port);
        try (Client agent = new Client(port);
                Client dashboard = new Client(port)) {
            agent.register("a", "here", 7001);
            first.kill();
            assertThat(agent.closed.get()).isEqualTo(1006);
            assertThat(dashboard.closed.get()).isEqualTo(1006);
        }
        try (RegistryProcess second = new RegistryProcess(folder, port);
                Client dashboard = new Client(port);
                Client agent = new Client(port)) {
            JsonNode node = dashboard.event("init").path("nodes").path(0);
            assertThat(node.path("status").asString()).isEqualTo("offline");
            assertThat(node.path("offline_since_at").asString())
                    .isEqualTo(node.path("last_seen_at").asString());
            agent.register("a", "here", 7001);
            assertThat(dashboard.event("node_joined").path("node").path("reconnects").asInt())
                    .isEqualTo(1);
            // The goodbye that the crash swallowed was made up for.
            JsonNode lines =
                    dashboard.call("list_connections", "{\"node_id\":\"a\"}").path("connections");
            assertThat(lines).hasSize(3);
            assertThat(lines.path(1).path("event").asString()).isEqualTo("disconnected");
            assertThat(second.terminate()).isZero();
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
                        try (Client agent = new Client(port)) {
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
