package dev.skep.fleet.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.registry.TestRegistryClient;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.SmallDisk;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A disk that is full, one that is sealed, and one that nothing is left on. */
@Timeout(60)
class NoRoomTest {
    @TempDir Path folder;
    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void nodes_that_come_while_the_disk_is_full_are_seen_and_stored_when_there_is_room()
            throws Exception {
        SmallDisk disk = mounted(SmallDisk.of(4, folder));
        int port = FreePort.any();
        try (disk) {
            try (RegistryProcess process = new RegistryProcess(disk.folder(), port)) {
                assertThat(ready(port)).startsWith("200");
                disk.fill();
                try (TestRegistryClient agent = new TestRegistryClient(port);
                        TestRegistryClient other = new TestRegistryClient(port);
                        TestRegistryClient dashboard = new TestRegistryClient(port)) {
                    JsonNode answer = register(agent, "a", 7001);
                    assertThat(answer.path("status").asString()).isEqualTo("registered");
                    assertThat(answer.path("warning").asString()).startsWith("not stored yet");
                    register(other, "b", 7002);
                    assertThat(names(dashboard)).containsExactly("a", "b");
                    Eventually.holds(
                            "it says whether it is ready", () -> ready(port).startsWith("503"));
                    assertThat(ready(port)).contains("runner database: no space left on its disk");

                    disk.empty();
                    Eventually.holds(
                            "it says whether it is ready",
                            () -> {
                                register(other, "c", 7003);
                                return !process.told("can store changes again").isEmpty();
                            });
                    Eventually.holds(
                            "it says whether it is ready", () -> ready(port).startsWith("200"));
                }
                assertThat(process.told("cannot store changes")).hasSize(1);
                assertThat(process.told("can store changes again")).hasSize(1);
                process.kill();
            }
            try (RegistryProcess again = new RegistryProcess(disk.folder(), port);
                    TestRegistryClient dashboard = new TestRegistryClient(port)) {
                assertThat(names(dashboard)).containsExactly("a", "b", "c");
                assertThat(
                                dashboard
                                        .call("list_connections", "{\"node_id\":\"a\"}")
                                        .path("connections"))
                        .isNotEmpty();
                assertThat(again.terminate()).isZero();
            }
        }
    }

    @Test
    void a_registry_that_keeps_nothing_needs_no_folder_it_could_write_to() throws Exception {
        int port = FreePort.any();
        try (SmallDisk sealed = mounted(SmallDisk.readOnly(folder));
                RegistryProcess process =
                        new RegistryProcess(
                                sealed.folder(),
                                List.of("-Djava.io.tmpdir=" + sealed.folder(), "-XX:-UsePerfData"),
                                port,
                                "--no-persist");
                TestRegistryClient agent = new TestRegistryClient(port)) {
            register(agent, "a", 7001);
            assertThat(names(agent)).containsExactly("a");
            assertThat(ready(port)).startsWith("200");
            assertThat(process.terminate()).isZero();
            assertThat(process.told("Permission")).isEmpty();
        }
    }

    @Test
    void a_killed_process_leaves_nothing_in_the_temporary_folder() throws Exception {
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        List<String> flags = List.of("-Djava.io.tmpdir=" + temporary);
        for (String mode : List.of("--retain=1", "--no-persist")) {
            int port = FreePort.any();
            try (RegistryProcess process =
                            new RegistryProcess(folder.resolve("data"), flags, port, mode);
                    TestRegistryClient agent = new TestRegistryClient(port)) {
                register(agent, "a", 7001);
                process.kill();
            }
            assertThat(temporary).isEmptyDirectory();
        }
    }

    private static SmallDisk mounted(Optional<SmallDisk> disk) {
        assumeTrue(disk.isPresent(), "mounting a small disk needs root");
        return disk.orElseThrow();
    }

    private static JsonNode register(TestRegistryClient client, String id, int port) {
        return client.call(
                "register",
                "{\"id\":\"%s\",\"machine\":\"here\",\"cwd\":\"/\",\"port\":%d,\"status\":\"active\"}"
                        .formatted(id, port));
    }

    private static List<String> names(TestRegistryClient client) {
        return client.call("list_nodes", null)
                .valueStream()
                .map(node -> node.path("id").asString())
                .sorted()
                .toList();
    }

    private String ready(int port) {
        try {
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(
                                            URI.create("http://127.0.0.1:" + port + "/readyz"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
