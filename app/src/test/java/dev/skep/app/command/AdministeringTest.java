package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.SystemTime;
import dev.skep.app.assembly.Terminal;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdministeringTest {
    @TempDir Path home;
    private String err = "";

    @Test
    void commands_work_with_and_without_a_running_process() throws Exception {
        assertThat(run("operators", "add", "ada", "--role", "admin"))
                .contains("/sign-in#skep_signin_");
        try (var lifecycle = new Lifecycle()) {
            List<String> told = up(lifecycle);
            assertThat(told).anyMatch(line -> line.startsWith("listening on http://127.0.0.1:"));
            assertThat(told).anyMatch(line -> line.contains("/sign-in#skep_signin_"));
            assertThat(home.resolve(".skep/admin")).exists();

            assertThat(run("operators", "list")).contains("ada").contains("ADMIN");
            assertThat(run("operators", "disable", "ada")).contains("ada is disabled");
            assertThat(run("operators", "list", "--json")).startsWith("{\"operators\":");
            assertThat(run("hosts", "pair")).contains("skep enrol http://127.0.0.1:");
            assertThat(run("hosts", "self")).contains("runner");
            assertThat(run("orgs", "add", "acme")).contains("--org acme");
            assertThat(run("keys", "issue", "join", "--org", "acme")).startsWith("skep_join_");
        }
        assertThat(home.resolve(".skep/admin")).doesNotExist();
        assertThat(run("operators", "list")).contains("ada");
        assertThat(run("orgs", "list")).contains("acme");
        assertThat(run("audit", "--action", "operator_disabled"))
                .contains("local")
                .contains("operator:");
        assertThat(run("audit", "export").lines())
                .allMatch(line -> line.startsWith("{") && line.endsWith("}"))
                .hasSizeGreaterThan(2);
    }

    @Test
    void a_process_that_was_killed_leaves_a_file_that_does_no_harm() throws Exception {
        run("operators", "list");
        Path file = home.resolve(".skep/admin");
        Files.writeString(file, "http://127.0.0.1:9\nskep_admin_old\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(run("orgs", "list")).contains("default");
    }

    @Test
    void a_runner_enrols_with_a_hub_by_the_command_the_hub_prints(@TempDir Path other)
            throws Exception {
        try (var lifecycle = new Lifecycle()) {
            List<String> told = up(lifecycle);
            String url =
                    told.stream()
                            .filter(l -> l.startsWith("listening"))
                            .findFirst()
                            .orElseThrow()
                            .replace("listening on ", "");
            String code = run("hosts", "pair").strip().replaceFirst(".*--code ", "");
            assertThat(runIn(other, "enrol", url, "--code", code)).contains("enrolled with " + url);
            assertThat(runIn(other, "hosts", "self")).contains(url);
            // The title, this host, and the hub's own runner once it has joined.
            assertThat(run("hosts", "list").lines()).hasSizeBetween(2, 3);
            assertThat(runIn(other, "enrol", url, "--code", "AAAA-AAAA-AAAA-AAAA")).isEmpty();
            assertThat(err).contains("[pairing_code_unknown]");
            assertThat(runIn(other, "enrol", url, "--leave")).contains("left");
        }
    }

    private List<String> up(Lifecycle lifecycle) {
        SettingFlags flags = new SettingFlags();
        flags.listen("127.0.0.1:0");
        flags.registryPort("0");
        return new Assembly(
                        context(home, new StringWriter(), new StringWriter()).configuration(flags),
                        lifecycle,
                        home,
                        "test")
                .open(Composition.UP, Terminal.none())
                .told();
    }

    private String run(String... arguments) {
        return runIn(home, arguments);
    }

    private String runIn(Path folder, String... arguments) {
        var out = new StringWriter();
        var errors = new StringWriter();
        Skep.run(context(folder, out, errors), arguments);
        err = errors.toString();
        return out.toString();
    }

    private static CommandContext context(Path folder, StringWriter out, StringWriter err) {
        return new CommandContext(
                Map.of(),
                folder,
                folder,
                SystemTime.clock(),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                new AtomicReference<>());
    }
}
