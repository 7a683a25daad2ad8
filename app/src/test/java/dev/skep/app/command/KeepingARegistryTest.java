package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.RegistryService;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.registry.node.NodeTimeouts;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class KeepingARegistryTest {
    private static final String DOCUMENT =
            """
            {"format":"skep-registry-state","version":1,"exported_at":"2027-01-01T00:00:00.000000Z",
            "nodes":[
            {"id":"a","machine":"laptop","cwd":"/work","port":7001,"pid":42,"status":"offline","registered_at":"2027-01-01T00:00:00.000000Z","last_seen_at":"2027-01-01T00:00:10.000000Z","offline_since":"2027-01-01T00:00:10.000000Z","reconnects":0}],
            "connections":[],
            "stats":[]}
            """;

    private static final RegistryOptions ANY_PORT =
            new RegistryOptions(
                    "127.0.0.1",
                    0,
                    NodeTimeouts.USUAL,
                    Set.of(),
                    new RegistryOptions.Origins(Set.of(), true),
                    false,
                    List.of("pi"));

    @TempDir Path home;
    private final Map<String, String> environment = new HashMap<>();
    private String out = "";
    private String err = "";

    @Test
    void what_one_registry_remembers_moves_to_another() throws Exception {
        Files.writeString(home.resolve("given.json"), DOCUMENT);
        assertThat(run("registry", "import", "given.json")).isZero();
        assertThat(err).contains("imported 1 new or newer lines");

        assertThat(run("registry", "export", "taken.json")).isZero();
        assertThat(err).contains("2 lines are in " + home.resolve("taken.json"));
        assertThat(home.resolve("taken.json")).content().contains("\"id\":\"a\"");
        assertThat(run("registry", "export", "-")).isZero();
        assertThat(home.resolve("-")).doesNotExist();
        assertThat(run("registry", "import", "taken.json", "--data-dir", "other")).isZero();
        assertThat(run("registry", "import", "taken.json", "--data-dir", "other")).isZero();
        assertThat(err).contains("imported 0 new or newer lines");
    }

    @Test
    void an_export_that_fails_leaves_no_file_and_one_that_is_there_is_kept() throws Exception {
        assertThat(run("registry", "export", "taken.json", "--data-dir", "nowhere")).isEqualTo(1);
        assertThat(err).contains("nowhere holds no registry; name its folder with --data-dir");
        assertThat(home).isEmptyDirectory();

        Files.writeString(home.resolve("given.json"), DOCUMENT);
        run("registry", "import", "given.json");
        assertThat(run("registry", "export", "given.json")).isEqualTo(1);
        assertThat(err).contains("given.json is there already").contains("--force");
        assertThat(home.resolve("given.json")).hasContent(DOCUMENT);
        assertThat(run("registry", "export", "given.json", "--force")).isZero();
        assertThat(home.resolve("given.json"))
                .content()
                .doesNotContain("2027-01-01T00:00:00.000000Z\",\n");
    }

    @Test
    void commands_find_a_registry_that_runs() throws Exception {
        Files.writeString(home.resolve("given.json"), DOCUMENT);
        run("registry", "import", "given.json");
        Configuration configuration =
                TestContext.of(Map.of(), home, new StringWriter(), new StringWriter())
                        .configuration(new SettingFlags());
        try (var lifecycle = new Lifecycle()) {
            new RegistryService(configuration, ANY_PORT, lifecycle).start(home, true, "test");
            assertThat(run("nodes", "show", "a")).isZero();
            assertThat(out).contains("laptop:7001").contains("offline");
            assertThat(run("hosts", "self")).isZero();
            assertThat(run("hosts")).isEqualTo(1);
            assertThat(err).contains("there is no hub in ");
        }
        assertThat(run("nodes")).isZero();
        assertThat(out).contains("laptop:7001");
    }

    @Test
    void a_node_is_removed_whether_the_registry_runs_or_not_and_that_is_written_down()
            throws Exception {
        Files.writeString(home.resolve("given.json"), DOCUMENT);
        run("registry", "import", "given.json");
        Configuration configuration =
                TestContext.of(Map.of(), home, new StringWriter(), new StringWriter())
                        .configuration(new SettingFlags());
        try (var lifecycle = new Lifecycle()) {
            new RegistryService(configuration, ANY_PORT, lifecycle).start(home, true, "test");
            assertThat(run("nodes", "remove", "b")).isEqualTo(1);
            assertThat(err).contains("there is no node b; 'skep nodes' lists them");
            assertThat(run("nodes", "remove", "a")).isZero();
            assertThat(out).contains("a is removed");
            assertThat(run("nodes", "show", "a")).isEqualTo(1);
        }
        run("registry", "import", "given.json", "--data-dir", "other");
        assertThat(run("nodes", "remove", "a", "--data-dir", "other")).isZero();
        assertThat(run("nodes", "list", "--data-dir", "other")).isZero();
        assertThat(out).doesNotContain("laptop");
        assertThat(run("audit", "--data-dir", "other")).isZero();
        assertThat(out).contains("node.removed");
    }

    @Test
    void an_import_of_many_nodes_tells_how_far_it_is() throws Exception {
        String node =
                DOCUMENT.lines()
                        .filter(line -> line.startsWith("{\"id\""))
                        .map(line -> line.replace("],", ""))
                        .findFirst()
                        .orElseThrow();
        String many =
                IntStream.range(0, 10_000)
                        .mapToObj(i -> node.replace("\"a\"", "\"n" + i + "\""))
                        .collect(Collectors.joining(",\n"));
        Files.writeString(home.resolve("many.json"), DOCUMENT.replace(node, many));

        assertThat(run("registry", "import", "many.json")).isZero();

        assertThat(err)
                .contains("import 1000 of 10000", "import 10000 of 10000")
                .contains("imported 10000 new or newer lines");
    }

    @Test
    @Timeout(60)
    void it_listens_where_the_setting_says_unless_the_command_says_otherwise() throws Exception {
        try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            environment.put("SKEP_REGISTRY_PORT", String.valueOf(one.getLocalPort()));
            assertThat(run("registry")).isEqualTo(3);
            assertThat(err).contains("port " + one.getLocalPort() + " on 127.0.0.1 is in use");
            assertThat(run("registry", "--port", String.valueOf(other.getLocalPort())))
                    .isEqualTo(3);
            assertThat(err).contains("port " + other.getLocalPort() + " on 127.0.0.1 is in use");
        }
    }

    private int run(String... arguments) {
        var errors = new StringWriter();
        var printed = new StringWriter();
        int status = Program.run(TestContext.of(environment, home, printed, errors), arguments);
        out = printed.toString();
        err = errors.toString();
        return status;
    }
}
