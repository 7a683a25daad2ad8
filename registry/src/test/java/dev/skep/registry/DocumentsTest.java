package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.registry.document.HyperPiStore;
import dev.skep.registry.document.StateImport.Imported;
import dev.skep.registry.wire.StateReader;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DocumentsTest {
    @TempDir Path folder;
    private TestRegistry testRegistry;

    @BeforeEach
    void open() throws Exception {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
        for (int i = 0; i < 3; i++) {
            try (TestRegistryClient agent = testRegistry.client();
                    TestRegistryClient dashboard = testRegistry.dashboard()) {
                agent.register("n" + i, "here", 7000 + i);
                testRegistry.clock.advance(Duration.ofSeconds(10));
                agent.leave();
                dashboard.event("node_offline");
            }
        }
    }

    @AfterEach
    void close() {
        testRegistry.close();
    }

    @Test
    void a_document_moves_everything_to_an_empty_registry_once() throws Exception {
        String document = exported(testRegistry);
        try (TestRegistry other = new TestRegistry(TestRegistry.Options.in(other()));
                TestRegistryClient dashboard = other.dashboard()) {
            assertThat(imported(other, document)).isEqualTo(new Imported.Done(3 + 6 + 3));
            for (int i = 0; i < 3; i++) {
                assertThat(dashboard.eventLine()).isEqualTo("node_joined n" + i);
            }
            JsonNode nodes = dashboard.call("list_nodes", null);
            assertThat(nodes).hasSize(3);
            assertThat(nodes.path(1).path("status").asString()).isEqualTo("offline");
            assertThat(nodes.path(1).path("registered_at").asString())
                    .isEqualTo("2027-01-01T00:00:10.000000Z");
            assertThat(
                            dashboard
                                    .call("list_connections", "{\"node_id\":\"n1\"}")
                                    .path("connections"))
                    .hasSize(2);
            assertThat(
                            dashboard
                                    .call("node_stats", "{\"node_id\":\"n1\"}")
                                    .path("total_uptime_sec")
                                    .asInt())
                    .isEqualTo(10);
            assertThat(imported(other, document)).isEqualTo(new Imported.Done(0));
            assertThat(withoutTime(exported(other))).isEqualTo(withoutTime(document));
        }
    }

    @Test
    void a_client_may_fetch_and_send_a_document() throws Exception {
        try (TestRegistryClient admin = testRegistry.dashboard();
                TestRegistry other = new TestRegistry(TestRegistry.Options.in(other()));
                TestRegistryClient there = other.dashboard()) {
            JsonNode document = admin.call("export_state", null);
            assertThat(there.call("import_state", document.toString()).path("imported").asInt())
                    .isEqualTo(12);
            assertThat(there.error("import_state", "{\"nodes\":[]}"))
                    .startsWith("Invalid document: line 1: document: format must be");
        }
    }

    @Test
    void an_active_node_is_not_overwritten() throws Exception {
        String document = exported(testRegistry);
        try (TestRegistry other = new TestRegistry(TestRegistry.Options.in(other()));
                TestRegistryClient agent = other.client()) {
            agent.register("n1", "elsewhere", 9);
            imported(other, document);
            assertThat(agent.statusOf("n1")).isEqualTo("active");
        }
    }

    @Test
    void a_bad_document_changes_nothing_and_names_line_and_field() throws Exception {
        String right =
                """
                {"format":"skep-registry-state","version":1,
                "nodes":[
                {"id":"x","machine":"m","cwd":"/","port":1,"status":"offline","registered_at":"2027-01-01T00:00:00Z","last_seen_at":"2027-01-01T00:00:00Z"},
                {"id":"y","machine":"m","cwd":"/","port":2,"status":"offline","registered_at":"2027-01-01T00:00:00Z","last_seen_at":"2027-01-01T00:00:00Z"}],
                "connections":[
                {"node_id":"x","event":"connected","ts":"2027-01-01T00:00:00Z"}],
                "stats":[{"node_id":"x","messages_relayed":1}]}""";
        assertThat(problem(right.replace("\"port\":2", "\"port\":\"2\"")))
                .isEqualTo("line 4: nodes[1]: port must be a whole number, not negative");
        assertThat(problem(right.replace("\"port\":2", "\"port\":70000")))
                .startsWith("line 4: nodes[1]: ");
        assertThat(problem(right.replace("\"id\":\"y\",", "")))
                .isEqualTo("line 4: nodes[1]: id must be a text");
        assertThat(problem(right.replace("\"event\":\"connected\"", "\"event\":\"came\"")))
                .isEqualTo("line 6: connections[0]: event is \"came\", which it cannot be");
        assertThat(problem(right.replace("\"messages_relayed\":1", "\"messages_relayed\":-1")))
                .startsWith("line 7: stats[0]: messages_relayed");
        assertThat(problem(right.replace("\"version\":1", "\"version\":2")))
                .startsWith("line 1: version: ");
        assertThat(problem(right.substring(0, right.length() - 10))).contains("not valid JSON");
        assertThat(problem(right + "x")).isNotEmpty();
        assertThat(problem("")).isNotEmpty();
        assertThat(problem("[]")).isEqualTo("line 1: document: must be an object");
        assertThat(testRegistry.registry().nodes()).hasSize(3);
        assertThat(imported(testRegistry, right)).isEqualTo(new Imported.Done(4));
        assertThat(imported(testRegistry, right)).isEqualTo(new Imported.Done(0));
    }

    @Test
    void what_an_older_registry_left_behind_is_taken_over_once() throws Exception {
        Path old = folder.resolve("hyper-pi.db");
        writeOld(old);
        try (TestRegistry other = new TestRegistry(TestRegistry.Options.in(other()));
                Database database = Databases.openForeign(new DatabaseUrl.Sqlite(old));
                TestRegistryClient dashboard = other.dashboard()) {
            HyperPiStore source = new HyperPiStore(database, other.host.id());
            assertThat(
                            other.importInto(other.registry())
                                    .importFrom(source, total -> {}, done -> {}))
                    .isEqualTo(new Imported.Done(1 + 2 + 1));
            JsonNode node = dashboard.call("list_nodes", null).path(0);
            assertThat(node.path("status").asString()).isEqualTo("offline");
            assertThat(node.path("last_seen_at").asString())
                    .isEqualTo("2026-12-31T12:00:00.500000Z");
            assertThat(
                            dashboard
                                    .call("list_connections", "{\"node_id\":\"old\"}")
                                    .path("connections"))
                    .hasSize(2);
            assertThat(
                            other.importInto(other.registry())
                                    .importFrom(source, total -> {}, done -> {}))
                    .isEqualTo(new Imported.Done(0));
        }
    }

    private static void writeOld(Path file) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement sql = connection.createStatement()) {
            sql.executeUpdate(
                    "CREATE TABLE nodes (id TEXT PRIMARY KEY, machine TEXT NOT NULL, cwd TEXT NOT NULL, port INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'offline', registered_at TEXT NOT NULL, last_seen_at TEXT NOT NULL, offline_since TEXT)");
            sql.executeUpdate(
                    "CREATE TABLE connections (id INTEGER PRIMARY KEY AUTOINCREMENT, node_id TEXT NOT NULL REFERENCES nodes(id), event TEXT NOT NULL, ts TEXT NOT NULL, peer_addr TEXT)");
            sql.executeUpdate(
                    "CREATE TABLE stats (node_id TEXT PRIMARY KEY REFERENCES nodes(id), messages_relayed INTEGER NOT NULL DEFAULT 0, proxy_sessions INTEGER NOT NULL DEFAULT 0, total_uptime_sec INTEGER NOT NULL DEFAULT 0)");
            sql.executeUpdate(
                    "INSERT INTO nodes VALUES ('old', 'here', '/', 7, 'active', '2026-12-30T00:00:00Z', '2026-12-31T13:00:00.5+01:00', NULL)");
            sql.executeUpdate(
                    "INSERT INTO connections (node_id, event, ts) VALUES ('old', 'connected', '2026-12-30T00:00:00Z'), ('old', 'disconnected', '2026-12-30T00:00:00Z')");
            sql.executeUpdate("INSERT INTO stats VALUES ('old', 5, 1, 60)");
        }
    }

    private String problem(String document) {
        return imported(testRegistry, document) instanceof Imported.Invalid(String problem)
                ? problem
                : "";
    }

    private static Imported imported(TestRegistry testRegistry, String document) {
        byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
        return testRegistry
                .importInto(testRegistry.registry())
                .importFrom(
                        sink ->
                                StateReader.read(
                                        new ByteArrayInputStream(bytes),
                                        testRegistry.host.id(),
                                        sink),
                        total -> {},
                        done -> {});
    }

    private static String exported(TestRegistry testRegistry) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        testRegistry.registry().flush();
        testRegistry.exportOf(testRegistry.registry()).writeTo(out, done -> {});
        return out.toString(StandardCharsets.UTF_8);
    }

    private static List<String> withoutTime(String document) {
        return document.replaceFirst("\"exported_at\":\"[^\"]*\"", "").lines().toList();
    }

    private Path other() throws Exception {
        return Files.createDirectories(folder.resolve("other"));
    }
}
