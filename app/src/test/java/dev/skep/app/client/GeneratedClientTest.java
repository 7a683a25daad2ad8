package dev.skep.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.admin.AdminFile;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.Setting;
import dev.skep.cli.config.SettingSources;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others make of the OpenAPI document of the whole product, with the tools of .ci/api. */
@Timeout(300)
class GeneratedClientTest {
    private static final Map<String, String> QUIET =
            Map.of("REDOCLY_TELEMETRY", "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE", "true", "CI", "1");

    private static final String COMPILER =
            """
            {"compilerOptions": {"target": "es2022", "module": "nodenext", "strict": true,
              "noUncheckedIndexedAccess": true, "types": ["node"]}, "files": ["drive.ts"]}
            """;

    @TempDir Path folder;
    private final Lifecycle lifecycle = new Lifecycle();
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void needsTheTools() {
        assumeTrue(ApiTools.areRequired() || ApiTools.areThere(), ApiTools.HOW_TO_INSTALL);
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        lifecycle.close();
    }

    @Test
    void a_generated_client_compiles_and_drives_hosts_jobs_agents_and_alerts() throws Exception {
        AdminFile.Address hub = up();
        Path work = work(hub);
        Files.writeString(work.resolve("package.json"), "{\"type\": \"module\"}");
        Files.writeString(work.resolve("tsconfig.json"), COMPILER);
        try (InputStream drive = getClass().getResourceAsStream("drive.ts")) {
            Files.write(work.resolve("drive.ts"), Objects.requireNonNull(drive).readAllBytes());
        }
        succeeds(ApiTools.run(work, QUIET, "openapi-typescript", "openapi.json", "-o", "api.ts"));
        succeeds(ApiTools.run(work, QUIET, "tsc", "-p", "."));
        Eventually.holds(
                "the host has sent a heartbeat",
                () -> get(hub, "/api/orgs/default/hosts").contains("\"lastHeartbeatAt\":\""));
        var driven =
                ApiTools.run(
                        work,
                        Map.of("SKEP_URL", hub.url(), "SKEP_TOKEN", hub.secret()),
                        "node",
                        "drive.js");
        succeeds(driven);
        assertThat(driven.text()).contains("all of it worked");
    }

    @Test
    void the_recommended_rules_for_documents_find_nothing() throws Exception {
        Path work = work(up());
        // No licence is chosen yet, which one of the rules wants to be named.
        Files.writeString(
                work.resolve("redocly.yaml"),
                "extends: [recommended]\nrules:\n  info-license: off\n");
        var printed =
                ApiTools.run(
                        work,
                        QUIET,
                        "redocly",
                        "lint",
                        "openapi.json",
                        "--config",
                        "redocly.yaml",
                        "--format",
                        "json");
        succeeds(printed);
        assertThat(printed.text()).contains("\"errors\": 0").contains("\"warnings\": 0");
    }

    private static void succeeds(ApiTools.Printed printed) {
        assertThat(printed.status()).as("%s", printed.text()).isZero();
    }

    private Path work(AdminFile.Address hub) throws Exception {
        Path work = Files.createDirectories(folder.resolve("work"));
        ApiTools.offer(work);
        Files.writeString(work.resolve("openapi.json"), get(hub, "/api/openapi.json"));
        return work;
    }

    private String get(AdminFile.Address hub, String path) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create(hub.url() + path))
                                .header("Authorization", "Bearer " + hub.secret())
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private AdminFile.Address up() throws Exception {
        Path dataDir = Files.createDirectories(folder.resolve("data"));
        Files.writeString(dataDir.resolve("allowed-commands"), "*\n");
        Path agents = Files.createDirectories(dataDir.resolve("agents"));
        Files.writeString(
                agents.resolve("nothing.script.yaml"),
                "prices: { input: 1, output: 1 }\nsteps:\n  - run: [mail wait]\n");
        Files.writeString(
                agents.resolve("carol.yaml"),
                "model: scripted:nothing.script.yaml\nprompt: wait\nauto_start: false\n");
        var flags =
                Map.of(
                        Setting.DATA_DIR, dataDir.toString(),
                        Setting.LISTEN, "127.0.0.1:0",
                        Setting.REGISTRY_PORT, "0",
                        Setting.HOSTNAME, "box");
        Configuration configuration =
                Configuration.read(
                        new SettingSources(flags, Map.of(), folder, folder), () -> "machine");
        new Assembly(configuration, lifecycle, folder, "test")
                .open(Composition.UP, Terminal.none());
        return AdminFile.read(dataDir).orElseThrow();
    }
}
