package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.finished;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class KeepingTheShellFromTheRunnerTest {
    @TempDir Path temporary = Path.of("");
    private Path data = Path.of("");

    @BeforeEach
    void a_data_folder_with_a_key() throws Exception {
        data = Files.createDirectory(temporary.resolve("data"));
        Files.writeString(data.resolve(".env"), "KEY=top-secret");
        // As lax as can be: what hides it must not be its own permissions.
        Files.setPosixFilePermissions(
                data.resolve(".env"), PosixFilePermissions.fromString("rw-r--r--"));
    }

    private ShellSettings settings() {
        return new ShellSettings(
                "alice",
                data.resolve("homes/alice"),
                Map.of("GIVEN", "to the agent"),
                List.of(data, data.resolve(".env")),
                4000);
    }

    @ParameterizedTest
    @EnumSource(TestShells.class)
    void only_harmless_variables_of_the_runner_are_passed_on(TestShells kind) throws Exception {
        var runner = new HashMap<>(System.getenv());
        runner.put("OPENAI_API_KEY", "sk-top-secret");
        runner.put("HTTPS_PROXY", "http://user:top-secret@proxy:1");
        runner.put("http_proxy", "http://proxy:1");
        runner.put("LC_ALL", "C.UTF-8");
        try (Shell shell = kind.shells(runner).open(settings())) {
            assertThat(finished(shell.run("env; cat /proc/$PPID/environ | tr '\\0' '\\n'", LONG)))
                    .doesNotContain("top-secret")
                    .contains("GIVEN=to the agent", "LC_ALL=C.UTF-8", "http_proxy=http://proxy:1")
                    .contains("HOME=" + data + "/homes/alice", "USER=alice");
        }
    }

    @Test
    void an_isolated_shell_sees_neither_the_data_folder_nor_the_runner() throws Exception {
        BashShells shells = TestShells.ISOLATED.shells(System.getenv());
        assumeTrue(shells.isolation().contains("namespaces of its own"), shells::isolation);
        try (Shell shell = shells.open(settings())) {
            String attempts =
                    """
                    echo mine > note; cat note
                    ls -A %1$s
                    cat %1$s/.env
                    cat %1$s/homes/alice/../../.env
                    umount %1$s
                    cat /proc/%2$d/environ
                    unshare -Urm sh -c 'umount %1$s; cat %1$s/.env'
                    for p in /proc/[0-9]*; do cat $p/root%1$s/.env $p/cwd/.env; done
                    kill -9 1; kill -0 1 || true; echo still here
                    """
                            .formatted(data, ProcessHandle.current().pid());
            assertThat(finished(shell.run(attempts, LONG)))
                    .startsWith("mine\nhomes\n")
                    .endsWith("still here\n")
                    .doesNotContain("top-secret");
        }
        assertThat(data.resolve("homes/alice/note")).hasContent("mine\n");
    }

    @Test
    void a_folder_the_agents_user_could_not_reach_is_made_reachable() throws Exception {
        BashShells shells = TestShells.ISOLATED.shells(System.getenv());
        assumeTrue(shells.isolation().contains("namespaces of its own"), shells::isolation);
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
        try (Shell shell = shells.open(TestShells.settings(data))) {
            assertThat(finished(shell.run("pwd; echo x > y; ls .. ", LONG)))
                    .isEqualTo("%s/alice\nalice\n".formatted(data));
        }
    }

    @Test
    void a_work_folder_from_before_isolation_is_handed_over() throws Exception {
        try (Shell trusted = TestShells.TRUSTED.shells(System.getenv()).open(settings())) {
            finished(trusted.run("mkdir sub; echo old > sub/note; chmod 600 sub/note", LONG));
        }
        try (Shell isolated = TestShells.ISOLATED.shells(System.getenv()).open(settings())) {
            assertThat(finished(isolated.run("cat sub/note; echo new > sub/note", LONG)))
                    .isEqualTo("old\n");
        }
    }

    @Test
    void what_is_hidden_inside_the_agents_own_folder_is_hidden_too() throws Exception {
        BashShells shells = TestShells.ISOLATED.shells(System.getenv());
        assumeTrue(shells.isolation().contains("namespaces of its own"), shells::isolation);
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxr-xr-x"));
        var settings = new ShellSettings("alice", temporary, Map.of(), List.of(data), 4000);
        try (Shell shell = shells.open(settings)) {
            assertThat(finished(shell.run("ls -A; ls -A data", LONG))).isEqualTo("data\n");
        }
    }

    @Test
    void user_namespaces_hide_the_same_from_a_runner_that_is_not_root() throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name")), "needs root to be somebody else");
        Path folder = data.resolve("homes/alice");
        Files.createDirectories(folder);
        Path scratch = Files.createDirectory(temporary.resolve("scratch"));
        var isolation = new Isolation.Namespaces();
        var launch =
                new ShellLaunch(
                        "alice",
                        ShellTools.bash(System.getenv("PATH")),
                        folder,
                        false,
                        isolation,
                        "token",
                        "tag",
                        Map.of(),
                        Map.of(),
                        List.of(data));
        var asNobody = new java.util.ArrayList<String>();
        asNobody.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        asNobody.addAll(launch.command(scratch));
        Process owned = new ProcessBuilder("chown", "-R", "65534", temporary.toString()).start();
        assertThat(owned.waitFor()).isZero();
        assumeTrue(reachable(temporary), "the temporary folder is closed to others");
        var builder = new ProcessBuilder(asNobody).redirectErrorStream(true);
        builder.directory(Path.of("/").toFile());
        builder.environment().putAll(launch.guardEnvironment());
        Process guard = builder.start();
        try (var output = guard.getInputStream();
                var guardInput = guard.getOutputStream()) {
            assertThat(until(output, "opened\036")).isNotEmpty();
            try (var control = Files.newOutputStream(scratch.resolve("control"))) {
                guardInput.write('\n');
                guardInput.flush();
                String started = until(output, "\036", "\036");
                assumeTrue(started.contains("shell"), started);
                control.write(
                        "PS1=; id -u; cat %1$s/.env 2>&1; ls -A %1$s; umount %1$s 2>&1; echo over\n"
                                .formatted(data)
                                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
                assertThat(until(output, "over\n"))
                        .contains("65534\n", "No such file", "homes\n")
                        .doesNotContain("top-secret");
            }
        }
        assertThat(guard.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }

    private static boolean reachable(Path folder) throws Exception {
        return new ProcessBuilder(
                                "setpriv",
                                "--reuid=65534",
                                "--clear-groups",
                                "test",
                                "-w",
                                folder.toString())
                        .start()
                        .waitFor()
                == 0;
    }

    /** Reads up to the last of the ends, each found after the one before. */
    private static String until(java.io.InputStream in, String... ends) throws Exception {
        var read = new StringBuilder();
        int from = 0;
        for (String end : ends) {
            while (read.indexOf(end, from) < 0) {
                int next = in.read();
                if (next < 0) {
                    return read.toString();
                }
                read.append((char) next);
            }
            from = read.indexOf(end, from) + end.length();
        }
        return read.toString();
    }

    @Test
    void what_is_not_promised_is_said() {
        assertThat(TestShells.TRUSTED.shells(System.getenv()).isolation())
                .startsWith("not isolated")
                .contains("its keys");
    }
}
