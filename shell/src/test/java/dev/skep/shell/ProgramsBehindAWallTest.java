package dev.skep.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.testkit.Eventually;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs of agents, whatever this machine gives. */
final class ProgramsBehindAWallTest {
    @TempDir Path data = Path.of("");

    enum Kind {
        STRONGEST,
        OWN_USER_ONLY,
        NAMESPACES_ONLY,
        NONE;

        Programs programs() {
            return programs(System.getenv());
        }

        Programs programs(Map<String, String> runner) {
            boolean root = "root".equals(System.getProperty("user.name"));
            assumeTrue(this != OWN_USER_ONLY || root, "needs root");
            var random = new SecureRandom();
            BashShells shells =
                    switch (this) {
                        case STRONGEST -> BashShells.isolated(runner, random);
                        case OWN_USER_ONLY ->
                                BashShells.with(
                                        runner,
                                        random,
                                        new Isolation.OwnUser(AgentUsers.FIRST, false));
                        case NAMESPACES_ONLY ->
                                BashShells.with(runner, random, new Isolation.Namespaces());
                        case NONE -> BashShells.trusted(runner, random);
                    };
            assumeTrue(
                    this != NAMESPACES_ONLY
                            || ShellTools.succeeds(
                                    List.of(
                                            "unshare",
                                            "--user",
                                            "--map-current-user",
                                            "--keep-caps",
                                            "true"),
                                    System.getenv("PATH")),
                    "no user namespaces here");
            return shells.programs();
        }
    }

    @BeforeEach
    void a_data_folder_with_a_key() throws Exception {
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(data.resolve(".env"), "KEY=top-secret");
    }

    static ProgramSettings settings(Path data, String script) {
        return settings(data, script, Map.of(), Map.of());
    }

    private static ProgramSettings settings(
            Path data, String script, Map<String, String> files, Map<String, String> environment) {
        return new ProgramSettings(
                "alice",
                data.resolve("work/alice"),
                data.resolve("work/.runtimes/alice"),
                data.resolve("work/alice"),
                List.of("/bin/bash", "-c", script),
                files,
                environment,
                List.of(data),
                List.of());
    }

    private static String all(GuardedProgram program) throws IOException {
        return new String(program.output().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NONE"})
    void fifty_megabytes_go_through_it_byte_for_byte(Kind kind) throws Exception {
        byte[] chunk = new byte[1 << 20];
        var sent = MessageDigest.getInstance("SHA-256");
        var received = MessageDigest.getInstance("SHA-256");
        long length = 0;
        try (GuardedProgram program = kind.programs().start(settings(data, "exec cat"))) {
            Thread writer =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        var random = new Random(7);
                                        try (OutputStream input = program.input()) {
                                            for (int i = 0; i < 50; i++) {
                                                random.nextBytes(chunk);
                                                sent.update(chunk);
                                                input.write(chunk);
                                            }
                                        } catch (IOException e) {
                                            throw new IllegalStateException(e);
                                        }
                                    });
            byte[] buffer = new byte[1 << 16];
            InputStream output = program.output();
            for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
                received.update(buffer, 0, read);
                length += read;
            }
            writer.join();
        }
        assertThat(length).isEqualTo(50L << 20);
        assertThat(received.digest()).isEqualTo(sent.digest());
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NONE"})
    void what_it_prints_on_standard_error_is_kept_apart_and_within_bounds(Kind kind)
            throws Exception {
        String script =
                "echo begin >&2; head -c 9000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo out; exit 7";
        try (GuardedProgram program = kind.programs().start(settings(data, script))) {
            assertThat(all(program)).isEqualTo("out\n");
            program.ended().join();
            assertThat(program.exitStatus()).hasValue(7);
            assertThat(program.errors().text())
                    .startsWith("begin\n")
                    .endsWith("end\n")
                    .hasSizeLessThan(20_000);
            assertThat(program.errors().text()).as("again").endsWith("end\n");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void only_harmless_variables_of_the_runner_are_passed_on(Kind kind) throws Exception {
        var runner = new HashMap<>(System.getenv());
        runner.put("OPENAI_API_KEY", "sk-top-secret");
        runner.put("LC_ALL", "C.UTF-8");
        Map<String, String> own = Map.of("SKEP_TOKEN", "t\n'\"$x", "LD_DEBUG", "none");
        try (GuardedProgram program =
                kind.programs(runner).start(settings(data, "env", Map.of(), own))) {
            assertThat(all(program))
                    .contains("LC_ALL=C.UTF-8\n", "SKEP_TOKEN=t\n'\"$x\n", "LD_DEBUG=none\n")
                    .contains("HOME=" + data + "/work/.runtimes/alice\n", "USER=alice\n")
                    .contains("PWD=" + data + "/work/alice\n")
                    .doesNotContain("top-secret", "SKEP_VARIABLE", "SKEP_GUARD", "SKEP_COMMAND");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NONE"})
    void nothing_of_its_variables_is_in_anybodys_arguments(Kind kind) throws Exception {
        String token = "token-" + ProcessHandle.current().pid();
        try (GuardedProgram program =
                kind.programs()
                        .start(
                                settings(
                                        data,
                                        "echo up; sleep 60",
                                        Map.of("a", token),
                                        Map.of("TOKEN", token)))) {
            assertThat(program.output().read()).isEqualTo('u');
            Process search =
                    new ProcessBuilder(
                                    "bash",
                                    "-c",
                                    "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'")
                            .start();
            assertThat(new String(search.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .contains("skep-command")
                    .doesNotContain(token);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NAMESPACES_ONLY"})
    void it_sees_its_home_and_its_folder_and_nothing_else_of_the_data_dir(Kind kind)
            throws Exception {
        Path elsewhere = Files.createDirectories(data.resolve("work/other"));
        Files.writeString(elsewhere.resolve("note"), "of another");
        Programs programs = kind.programs();
        assumeTrue(
                !"STRONGEST".equals(kind.name())
                        || BashShells.isolated(System.getenv(), new SecureRandom())
                                .strongest()
                                .walled(),
                "no namespaces here");
        String script =
                "cat %1$s/.env %1$s/work/other/note 2>&1; ls -A %1$s %1$s/work; echo x >made; echo y >~/made; ls ~ ."
                        .formatted(data);
        try (GuardedProgram program = programs.start(settings(data, script))) {
            assertThat(all(program))
                    .doesNotContain("top-secret", "of another", "other\n")
                    .contains("No such file", data + ":\nwork\n", ".runtimes\nalice\n");
        }
        assertThat(data.resolve("work/alice/made")).hasContent("x");
        assertThat(data.resolve("work/.runtimes/alice/made")).hasContent("y");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void its_files_are_written_before_it_starts_for_nobody_else_to_read(Kind kind)
            throws Exception {
        Map<String, String> files =
                Map.of(".tool/config.json", "{\"a\": \"ü\"}\n\n", ".other", "no end of line");
        try (GuardedProgram program =
                kind.programs()
                        .start(
                                settings(
                                        data,
                                        "cat ~/.tool/config.json ~/.other",
                                        files,
                                        Map.of()))) {
            assertThat(all(program)).isEqualTo("{\"a\": \"ü\"}\n\nno end of line");
        }
        Path home = data.resolve("work/.runtimes/alice");
        assertThat(Files.getPosixFilePermissions(home.resolve(".tool/config.json")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(home))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void a_link_that_the_agent_made_leads_its_files_nowhere_it_could_not_write_itself()
            throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can write there");
        Path system = Files.createDirectory(data.resolve("system"));
        Programs programs = Kind.OWN_USER_ONLY.programs();
        String link = "ln -s %s ~/.tool".formatted(system);
        try (GuardedProgram agent = programs.start(settings(data, link))) {
            all(agent);
        }
        Map<String, String> files = Map.of(".tool/config", "mine");
        try (GuardedProgram program =
                programs.start(settings(data, "echo started", files, Map.of()))) {
            assertThat(all(program)).isEmpty();
            program.ended().join();
            assertThat(program.exitStatus()).hasValue(125);
            assertThat(program.errors().text()).contains("Permission denied");
        }
        assertThat(system).isEmptyDirectory();
    }

    @Test
    void a_path_that_leads_out_of_the_home_is_refused() {
        for (String path : List.of("../x", "/etc/x", "a/../../x", ".", "a\nb")) {
            assertThatThrownBy(() -> settings(data, "", Map.of(path, ""), Map.of()))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void closing_it_ends_all_that_it_started(Kind kind) throws Exception {
        String name = "70" + ProcessHandle.current().pid();
        String script =
                LeavingNothingBehindTest.spawn(name)
                        + "\necho up; trap '' TERM; while :; do sleep 0.1; done";
        try (GuardedProgram program = kind.programs().start(settings(data, script))) {
            assertThat(program.output().read()).isEqualTo('u');
            LeavingNothingBehindTest.awaitAlive(name, 4);
        }
        assertThat(LeavingNothingBehindTest.alive(name)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NONE"})
    void one_that_ends_with_its_input_is_not_signalled(Kind kind) throws Exception {
        GuardedProgram program =
                kind.programs().start(settings(data, "trap 'exit 9' TERM; echo up; cat; exit 4"));
        assertThat(program.output().read()).isEqualTo('u');
        program.close();
        assertThat(program.exitStatus()).hasValue(4);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void a_runner_killed_without_warning_leaves_nothing(Kind kind) throws Exception {
        kind.programs();
        String name = "71" + ProcessHandle.current().pid();
        Process runner =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DoomedProgram.class.getName(),
                                kind.name(),
                                data.toString(),
                                LeavingNothingBehindTest.spawn(name) + "\necho up; exec sleep 600")
                        .redirectErrorStream(true)
                        .start();
        try (BufferedReader lines = runner.inputReader()) {
            String line = lines.readLine();
            while (line != null && !line.equals("up")) {
                line = lines.readLine();
            }
            assertThat(line).isEqualTo("up");
            LeavingNothingBehindTest.awaitAlive(name, 4);
        } finally {
            runner.destroyForcibly().waitFor();
        }
        LeavingNothingBehindTest.awaitAlive(name, 0);
    }

    /** Where guard and runner were killed together, as by a machine that is out of memory. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void the_next_runner_ends_what_nobody_was_left_to_end(Kind kind) throws Exception {
        String name = "72" + ProcessHandle.current().pid();
        Programs programs = kind.programs();
        GuardedProgram program =
                programs.start(
                        settings(
                                data,
                                LeavingNothingBehindTest.spawn(name) + "\necho up; sleep 600"));
        assertThat(program.output().read()).isEqualTo('u');
        LeavingNothingBehindTest.awaitAlive(name, 4);
        MarkedProcesses.with(v -> v.startsWith("SKEP_PROGRAM=" + data)).stream()
                .filter(each -> each.info().commandLine().orElse("").contains("skep-command"))
                .forEach(ProcessHandle::destroyForcibly);
        programs.endLeftovers(data.resolve("work/.runtimes"));
        LeavingNothingBehindTest.awaitAlive(name, 0);
        program.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NONE"})
    void the_memory_of_all_that_it_started_is_counted(Kind kind) throws Exception {
        String script =
                "bash -c 'x=$(head -c 60000000 /dev/zero | tr \"\\0\" x); echo up; sleep 60; true'";
        GuardedProgram program = kind.programs().start(settings(data, script + "; true"));
        assertThat(program.output().read()).isEqualTo('u');
        assertThat(program.residentBytes()).isBetween(60_000_000L, 600_000_000L);
        program.close();
        assertThat(program.residentBytes()).isZero();
    }

    @Test
    void a_program_that_agents_users_may_not_reach_is_told() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root has such programs");
        Programs programs = Kind.OWN_USER_ONLY.programs();
        Path closed = Files.createDirectory(data.resolve("closed"));
        Path program = Files.createFile(Files.createDirectory(closed.resolve("bin")).resolve("x"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(programs.obstacle(program)).isEmpty();
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        assertThat(programs.obstacle(program)).contains(program);
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        assertThat(programs.obstacle(program)).contains(closed);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"STRONGEST", "NONE"})
    void it_ends_by_itself_and_says_so(Kind kind) throws Exception {
        GuardedProgram program = kind.programs().start(settings(data, "exit 3"));
        Eventually.holds("it ended", () -> !program.isAlive());
        assertThat(program.exitStatus()).hasValue(3);
        program.close();
    }
}
