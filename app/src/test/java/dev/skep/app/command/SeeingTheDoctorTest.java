package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SeeingTheDoctorTest {
    @TempDir Path home;
    private final Map<String, String> environment = new HashMap<>();
    private String out = "";
    private int status = -1;

    @Test
    void a_new_machine_is_sound_and_nothing_is_made_by_looking() {
        doctor("--listen", "127.0.0.1:0", "--registry-port", "none");

        assertThat(status).isZero();
        assertThat(out)
                .containsPattern("ok +java +Java 25")
                .containsPattern("ok +data dir +.* will be made")
                .containsPattern("ok +database +no runner database yet")
                .containsPattern("ok +hub +no other: this data dir works alone")
                .contains("shell")
                .contains("jobs and servers")
                .doesNotContain("problem");
        assertThat(home.resolve(".skep")).doesNotExist();
    }

    @Test
    void a_running_process_is_looked_at_beside_its_work_and_its_hub_too() throws IOException {
        environment.put("PATH", System.getenv("PATH"));
        try (var lifecycle = new Lifecycle()) {
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            flags.give(Setting.REGISTRY_PORT, "none");
            new Assembly(context(new StringWriter()).configuration(flags), lifecycle, home, "test")
                    .open(Composition.UP, Terminal.none());

            doctor("--registry-port", "none", "--json");

            List<String> said =
                    Json.fields(out).list("findings").stream()
                            .map(f -> f.shown("level") + " " + f.shown("says"))
                            .toList();
            assertThat(said)
                    .anyMatch(s -> s.startsWith("ok this data dir's process answers at http"))
                    .anyMatch(s -> s.matches("ok runner database .*schema \\d+.*in use by.*"))
                    .anyMatch(s -> s.matches("ok hub database .*passes its own check.*"))
                    .anyMatch(s -> s.matches("ok .*runner.key is host .*for its owner only"))
                    .anyMatch(s -> s.startsWith("ok scripted:"));
            assertThat(Json.fields(out).flag("sound")).isTrue();
            assertThat(status).isZero();
        }
        doctor("--listen", "127.0.0.1:0", "--registry-port", "none");
        assertThat(out).containsPattern("database +runner database").doesNotContain("in use by");
    }

    @Test
    void each_thing_that_is_wrong_is_one_line_with_its_fix() throws IOException {
        Path data = home.resolve(".skep");
        Files.createDirectories(data.resolve("agents"));
        Files.writeString(data.resolve("agents/eve.yaml"), "prompt: hi\nmodel: claude-opus-4-7\n");
        Files.writeString(data.resolve("agents/mal.yaml"), "prompt: hi\nmodel: none-such\n");
        Files.writeString(data.resolve("runner.key"), "skep host key\nhost x\n");
        Files.setPosixFilePermissions(
                data.resolve("runner.key"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(data.resolve("hub.db"), "this is a letter, not a database at all");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            doctor("--listen", "127.0.0.1:" + taken.getLocalPort(), "--registry-port", "none");
        }

        assertThat(status).isEqualTo(1);
        assertThat(out.lines())
                .anyMatch(l -> l.matches("problem +port .* in use by another .*--listen"))
                .anyMatch(l -> l.matches("warning +data dir .*; run: chmod 700 .*"))
                .anyMatch(l -> l.matches("problem +database .*not a SQLite database; .*"))
                .anyMatch(l -> l.matches("problem +host key .*runner.key.*; run: chmod 600 .*"))
                .anyMatch(l -> l.matches("problem +model .*none-such.* mal,? .*not known.*"))
                .anyMatch(l -> l.matches("problem +model .*eve, has no key; .*ANTHROPIC.*"));
    }

    @Test
    void a_data_dir_that_is_a_file_is_one_problem_and_not_one_for_each_thing_in_it()
            throws IOException {
        Files.writeString(home.resolve(".skep"), "a letter");
        doctor("--listen", "127.0.0.1:0", "--registry-port", "none");

        assertThat(status).isEqualTo(1);
        assertThat(out.lines().filter(line -> line.startsWith("problem")))
                .singleElement()
                .asString()
                .matches("problem +data dir .*is a file; remove it or .*--data-dir");
        assertThat(out).doesNotContain("runner.key").doesNotContain("runner.db");
    }

    @Test
    void a_damaged_file_is_found_by_its_own_check() throws IOException {
        run("orgs", "list");
        Path file = home.resolve(".skep/hub.db");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            // Behind the first page, so that it still opens.
            for (long at = 3 * 4096; at < channel.size(); at += 4096) {
                channel.write(ByteBuffer.wrap(new byte[600]), at);
            }
        }
        doctor("--listen", "127.0.0.1:0", "--registry-port", "none");

        assertThat(status).isEqualTo(1);
        assertThat(out).containsPattern("problem +database .*hub.db is damaged.*restore");
        assertThat(out.lines()).allMatch(line -> line.matches("(ok|warning|problem) .*"));
    }

    @Test
    void a_hub_that_does_not_answer_and_a_wrong_setting_are_problems() {
        environment.put("HUB_URLS", "http://127.0.0.1:9");
        environment.put("HUB_ACCESS_KEY", "hush");
        doctor("--listen", "127.0.0.1:0", "--registry-port", "none");
        assertThat(status).isEqualTo(1);
        assertThat(out)
                .containsPattern("problem +hub +cannot reach http://127.0.0.1:9 .*; check")
                .doesNotContain("hush");

        environment.put("SKEP_LISTEN", "nowhere at all");
        doctor("--json");
        assertThat(status).isEqualTo(1);
        assertThat(out).contains("\"check\":\"configuration\"").contains("SKEP_LISTEN");
    }

    @Test
    void the_configuration_is_json_when_asked_and_keeps_its_secrets() {
        environment.put("HUB_ACCESS_KEY", "hush");
        environment.put("DATABASE_URL", "postgresql://ada:hush@db.example/skep");
        run("config", "--json");

        var settings = Json.fields(out).list("settings");
        assertThat(settings)
                .anyMatch(
                        s ->
                                s.shown("setting").equals("SKEP_DATABASE_URL")
                                        && s.shown("value").contains("ada:***")
                                        && s.shown("from").contains("DATABASE_URL"));
        assertThat(out).doesNotContain("hush");
    }

    private void doctor(String... more) {
        String[] arguments = new String[more.length + 1];
        arguments[0] = "doctor";
        System.arraycopy(more, 0, arguments, 1, more.length);
        run(arguments);
    }

    private void run(String... arguments) {
        var written = new StringWriter();
        status = Program.run(context(written), arguments);
        out = written.toString();
    }

    private CommandContext context(StringWriter to) {
        return TestContext.of(environment, home, to, to);
    }
}
