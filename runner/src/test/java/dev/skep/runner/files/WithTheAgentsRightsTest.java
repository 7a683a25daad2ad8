package dev.skep.runner.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.runner.mcp.SandboxedServerPrograms;
import dev.skep.runner.mcp.ServerPrograms;
import dev.skep.shell.BashShells;
import dev.skep.shell.Shell;
import dev.skep.shell.ShellSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runner that is root, which works on files of an agent that is not. */
final class WithTheAgentsRightsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @TempDir Path dir = Path.of("");

    private final BashShells shells = BashShells.isolated(System.getenv(), new SecureRandom());

    @BeforeEach
    void reachable() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can change users");
        Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private ShellSettings settings() {
        return new ShellSettings(
                "alice", dir.resolve("work/alice"), Map.of(), List.of(), AgentFiles.OUTPUT_CHARS);
    }

    private static int owner(Path file) throws Exception {
        return (int) Files.getAttribute(file, "unix:uid");
    }

    @Test
    void a_file_belongs_to_the_agent_and_what_is_not_its_own_stays_as_it_is() throws Exception {
        Path roots = Files.writeString(dir.resolve("roots.txt"), "a");
        Path secret = Files.writeString(dir.resolve("secret.txt"), "s");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        try (Shell shell = shells.open(settings())) {
            AgentFiles files = new AgentFiles(shell, LONG);
            String folder = dir.resolve("work/alice").toString();
            var missing = (FileReading.Missing) files.read(folder, "new.txt", 100);
            assertThat(files.create(missing, "x".getBytes(StandardCharsets.UTF_8))).isEmpty();
            Path made = dir.resolve("work/alice/new.txt");
            assertThat(made).hasContent("x");
            assertThat(owner(made)).isNotZero().isEqualTo(owner(dir.resolve("work/alice")));

            var read = (FileReading.Read) files.read(folder, roots.toString(), 100);
            assertThat(files.replace(read, new byte[] {'b'})).contains("may not be written by you");
            assertThat(files.read(folder, secret.toString(), 100))
                    .isEqualTo(new FileReading.Refused("may not be read by you"));
            var above = (FileReading.Missing) files.read(folder, "../../above.txt", 100);
            assertThat(files.create(above, new byte[] {'b'})).contains("could not be written");
            assertThat(roots).hasContent("a");
        }
    }

    @Test
    void a_file_that_changed_since_it_was_read_is_not_written_over() throws Exception {
        try (Shell shell = shells.open(settings())) {
            AgentFiles files = new AgentFiles(shell, LONG);
            String folder = dir.resolve("work/alice").toString();
            var missing = (FileReading.Missing) files.read(folder, "f", 100);
            assertThat(files.create(missing, new byte[] {'1'})).isEmpty();
            var read = (FileReading.Read) files.read(folder, "f", 100);
            Files.writeString(dir.resolve("work/alice/f"), "2");
            assertThat(files.replace(read, new byte[] {'3'}))
                    .contains("was changed in the meantime; read it again");
            assertThat(files.create(missing, new byte[] {'3'}))
                    .contains("is there by now; read it");
            assertThat(dir.resolve("work/alice/f")).hasContent("2");
        }
    }

    @Test
    void a_server_is_a_program_of_the_agent() throws Exception {
        try (Shell shell = shells.open(settings())) {
            String user = shell.run("id -u; pwd", LONG).output().text();
            var programs =
                    new SandboxedServerPrograms(
                            shells.programs(), settings(), dir.resolve("work/.tools/alice"));
            try (ServerPrograms.Started server =
                    programs.start(
                            List.of(
                                    "bash",
                                    "-c",
                                    "id -u; pwd; echo \"$OWN\" >&2; env | grep -c KEY"),
                            Map.of("OWN", "oops"))) {
                String said = new String(server.output().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(said).isEqualTo(user + "0\n");
                assertThat(server.lastErrors()).isEqualTo("oops");
            }
        }
    }
}
