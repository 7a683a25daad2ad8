package dev.skep.fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.registry.TestAgent;
import dev.skep.registry.TestRegistryClient;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresOfARegistryTest {
    @Test
    void a_lone_registry_tells_its_nodes_sessions_messages_and_calls(@TempDir Path folder)
            throws Exception {
        int port = FreePort.any();
        try (RegistryProcess _ = new RegistryProcess(folder, port);
                TestAgent agent = new TestAgent();
                TestRegistryClient registered = new TestRegistryClient(port)) {
            assertThat(get(port, "/healthz")).startsWith("ok");
            try (TestRegistryClient gone = new TestRegistryClient(port)) {
                gone.register("gone", "there", 7001);
            }
            registered.event("node_offline");
            registered.register("here", "localhost", agent.port());
            try (RawWebSocket dashboard = RawWebSocket.connect(port, "/ws/agent/here");
                    RawWebSocket side = agent.acceptSocket()) {
                side.text("hello");
                dashboard.message();
                dashboard.text("and back");
                side.message();
                assertThat(get(port, "/metrics"))
                        .contains(
                                "skep_registry_nodes{org=\"default\",registry=\"runner\",status=\"active\"} 1")
                        .contains(
                                "skep_registry_nodes{org=\"default\",registry=\"runner\",status=\"offline\"} 1")
                        .contains("skep_registry_proxy_sessions{registry=\"runner\"} 1")
                        .contains("skep_registry_relayed_messages_total{registry=\"runner\"} 2")
                        .contains("skep_registry_relayed_bytes_total{registry=\"runner\"} 13")
                        .contains(
                                "skep_registry_calls_seconds_count{call=\"register\",registry=\"runner\"} 2")
                        .contains(
                                "skep_registry_calls_seconds_sum{call=\"register\",registry=\"runner\"} 0.");
            }
        }
    }

    private static String get(int port, String path) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
            return http.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
