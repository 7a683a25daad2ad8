package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackingUpTest {
    @TempDir Path home;
    private String out = "";
    private String err = "";

    @Test
    void a_running_data_dir_is_backed_up_and_works_somewhere_else() throws IOException {
        run("operators", "add", "ada");
        try (var lifecycle = new Lifecycle()) {
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            flags.give(Setting.REGISTRY_PORT, "none");
            new Assembly(context(home).configuration(flags), lifecycle, home, "test")
                    .open(Composition.UP, Terminal.none());
            assertThat(run("backup", "nightly.skep")).isZero();
        }
        assertThat(out).containsPattern("rows of runner and hub and \\d+ files are in .*nightly");
        Path file = home.resolve("nightly.skep");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(run("backup", "nightly.skep")).isEqualTo(1);
        assertThat(err).contains("--force").contains("[conflict]");

        assertThat(run("restore", "nightly.skep", "--data-dir", "other")).isZero();
        Path other = home.resolve("other");
        assertThat(other.resolve("agents/alice.yaml"))
                .hasSameTextualContentAs(home.resolve(".skep/agents/alice.yaml"));
        assertThat(other.resolve("hub.key")).exists();
        assertThat(other.resolve("logs")).doesNotExist();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
                .isEqualTo("rwx------");
        assertThat(run("operators", "list", "--data-dir", "other")).isZero();
        assertThat(out).contains("ada");
        assertThat(run("agents", "--data-dir", "other")).isZero();
        assertThat(out).contains("alice").contains("bob");
    }

    @Test
    void a_data_dir_that_is_not_empty_is_put_aside_only_when_told() throws IOException {
        run("operators", "add", "ada");
        run("backup", "one");
        run("operators", "add", "eve");

        assertThat(run("restore", "one")).isEqualTo(1);
        assertThat(err).contains("is not empty").contains("[conflict]");
        run("operators", "list");
        assertThat(out).contains("eve");

        assertThat(run("restore", "one", "--force", "--json")).isZero();
        assertThat(out).contains("\"before\":\"" + home.resolve(".skep.before-"));
        run("operators", "list");
        assertThat(out).contains("ada").doesNotContain("eve");
        try (Stream<Path> beside = Files.list(home)) {
            assertThat(beside.map(p -> p.getFileName().toString()))
                    .anyMatch(name -> name.startsWith(".skep.before-"))
                    .noneMatch(name -> name.contains("restoring") || name.contains("part"));
        }
    }

    @Test
    void a_damaged_backup_touches_nothing_and_one_without_keys_has_none() throws IOException {
        run("operators", "add", "ada");
        Files.writeString(home.resolve(".skep/.env"), "OPENAI_API_KEY=hush\n");
        assertThat(run("backup", "bare", "--without-keys")).isZero();
        run("restore", "bare", "--data-dir", "bare-dir");
        try (Stream<Path> files = Files.list(home.resolve("bare-dir"))) {
            assertThat(files.map(p -> p.getFileName().toString())).containsExactly("hub.db");
        }
        byte[] bytes = Files.readAllBytes(home.resolve("bare"));
        bytes[bytes.length / 2] ^= 1;
        Files.write(home.resolve("bent"), bytes);
        assertThat(run("restore", "bent", "--data-dir", "never")).isEqualTo(4);
        assertThat(err.lines())
                .anyMatch(l -> l.contains("nothing was changed") && l.endsWith("[backup_damaged]"));
        assertThat(home.resolve("never")).doesNotExist();
        assertThat(run("restore", "none-such")).isEqualTo(1);
        assertThat(err).contains("there is no file");
        assertThat(run("restore", "bare-dir")).isEqualTo(1);
        assertThat(err).contains("bare-dir is a folder");
    }

    @Test
    void a_restore_that_is_refused_leaves_no_keys_behind() throws IOException {
        run("operators", "add", "ada");
        run("backup", "one");
        String used = "file:" + home.resolve(".skep/hub.db");

        assertThat(run("restore", "one", "--data-dir", "never", "--database", used)).isEqualTo(1);
        assertThat(err).contains("hub.db is not empty").contains("[conflict]");
        try (Stream<Path> beside = Files.list(home)) {
            assertThat(beside.map(p -> p.getFileName().toString()))
                    .containsExactlyInAnyOrder(".skep", "one");
        }
    }

    private int run(String... arguments) {
        var said = new StringWriter();
        var wrong = new StringWriter();
        int status = Program.run(context(home, said, wrong), arguments);
        out = said.toString();
        err = wrong.toString();
        return status;
    }

    private static CommandContext context(Path folder) {
        return context(folder, new StringWriter(), new StringWriter());
    }

    private static CommandContext context(Path folder, StringWriter out, StringWriter err) {
        return TestContext.of(Map.of(), folder, out, err);
    }
}
