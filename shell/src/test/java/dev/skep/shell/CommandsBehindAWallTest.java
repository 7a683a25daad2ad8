package dev.skep.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.testkit.Eventually;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What jobs and servers are started with, whatever this machine gives. */
final class CommandsBehindAWallTest {
    @TempDir Path data = Path.of("");

    /** The strongest, and what is left of it on lesser machines. */
    enum Kind {
        STRONGEST,
        OWN_USER_ONLY,
        NAMESPACES_ONLY,
        NONE;

        SandboxedCommands in(Path data) {
            boolean root = "root".equals(System.getProperty("user.name"));
            assumeTrue(this != OWN_USER_ONLY || root, "needs root");
            assumeTrue(this != NAMESPACES_ONLY || mayMakeUsers(), "no user namespaces here");
            var random = new SecureRandom();
            BashShells shells =
                    switch (this) {
                        case STRONGEST -> BashShells.isolated(System.getenv(), random);
                        case OWN_USER_ONLY ->
                                BashShells.with(
                                        System.getenv(),
                                        random,
                                        new Isolation.OwnUser(AgentUsers.FIRST, false));
                        case NAMESPACES_ONLY ->
                                BashShells.with(
                                        System.getenv(), random, new Isolation.Namespaces());
                        case NONE -> BashShells.trusted(System.getenv(), random);
                    };
            return shells.commands(data.resolve("jobs"), List.of(data));
        }

        private static boolean mayMakeUsers() {
            return ShellTools.succeeds(
                    List.of("unshare", "--user", "--map-current-user", "--keep-caps", "true"),
                    System.getenv("PATH"));
        }
    }

    private static GuardedCommand start(SandboxedCommands commands, String command)
            throws Exception {
        return commands.start(new SandboxedCommands.Line(command, commands.home(), Map.of()));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void output_and_status_are_the_commands(Kind kind) throws Exception {
        try (GuardedCommand command =
                start(kind.in(data), "cat; pwd; echo oops >&2; sleep 600 & exit 7")) {
            Process process = command.process();
            assertThat(process.inputReader().readLine()).isEqualTo(data.resolve("jobs").toString());
            assertThat(process.inputReader().readLine()).isNull();
            assertThat(process.errorReader().readLine()).isEqualTo("oops");
            assertThat(process.waitFor()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void what_it_left_in_the_background_ends_with_it(Kind kind) throws Exception {
        String name = "63" + ProcessHandle.current().pid();
        try (GuardedCommand command =
                start(kind.in(data), LeavingNothingBehindTest.spawn(name) + "\necho up")) {
            assertThat(command.process().inputReader().readLine()).isEqualTo("up");
            assertThat(command.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        LeavingNothingBehindTest.awaitAlive(name, 0);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void it_is_asked_to_end_before_it_is_made_to(Kind kind) throws Exception {
        GuardedCommand command =
                start(
                        kind.in(data),
                        "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done");
        BufferedReader output = command.process().inputReader();
        assertThat(output.readLine()).isEqualTo("up");
        command.end();
        assertThat(output.readLine()).isEqualTo("bye");
        assertThat(command.process().exitValue()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void a_runner_killed_without_warning_leaves_nothing(Kind kind) throws Exception {
        kind.in(data);
        String name = "64" + ProcessHandle.current().pid();
        Process runner =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DoomedJobs.class.getName(),
                                kind.name(),
                                data.toString(),
                                LeavingNothingBehindTest.spawn(name) + "\necho up; sleep 600")
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
        String name = "65" + ProcessHandle.current().pid();
        GuardedCommand command =
                start(kind.in(data), LeavingNothingBehindTest.spawn(name) + "\necho up; sleep 600");
        assertThat(command.process().inputReader().readLine()).isEqualTo("up");
        command.process().destroyForcibly().waitFor();

        kind.in(data).endLeftovers();
        LeavingNothingBehindTest.awaitAlive(name, 0);
        assertThat(MarkedProcesses.with(v -> v.startsWith("SKEP_JOB=" + data.resolve("jobs"))))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void nobody_elses_jobs_are_taken_for_leftovers(Kind kind) throws Exception {
        try (GuardedCommand other = start(kind.in(data.resolve("other")), "echo up; sleep 600")) {
            assertThat(other.process().inputReader().readLine()).isEqualTo("up");
            kind.in(data).endLeftovers();
            assertThat(other.process().isAlive()).isTrue();
        }
    }

    /** A command's end may fall together with the signal to end it. */
    @ParameterizedTest
    @EnumSource(Kind.class)
    void one_that_ends_while_it_is_told_to_is_not_waited_for(Kind kind) throws Exception {
        SandboxedCommands commands = kind.in(data);
        Path log = data.resolve("log.txt");
        for (int i = 0; i < 25; i++) {
            String mark = "SKEP_SERVER_INSTANCE=67" + ProcessHandle.current().pid();
            Process server =
                    commands.startForGood(
                            new SandboxedCommands.Line(
                                    "echo up %d; exec sleep 0.05".formatted(i),
                                    commands.home(),
                                    Map.of()),
                            mark,
                            log);
            int number = i;
            Eventually.holds("it runs", () -> Files.readString(log).contains("up " + number));
            var killing =
                    new ProcessBuilder(
                            "bash",
                            "-c",
                            "for i in {1..400}; do kill -TERM -- -%d || exit 0; done"
                                    .formatted(server.pid()));
            assertThat(killing.start().waitFor()).isZero();
            assertThat(server.waitFor(5, TimeUnit.SECONDS)).as("end %d", i).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void a_server_ends_all_it_started_on_term(Kind kind) throws Exception {
        String name = "66" + ProcessHandle.current().pid();
        SandboxedCommands commands = kind.in(data);
        Process server =
                commands.startForGood(
                        new SandboxedCommands.Line(
                                LeavingNothingBehindTest.spawn(name) + "\nexec sleep 600",
                                commands.home(),
                                Map.of()),
                        "SKEP_SERVER_INSTANCE=" + name,
                        data.resolve("log.txt"));
        LeavingNothingBehindTest.awaitAlive(name, 4);
        Process term = new ProcessBuilder("bash", "-c", "kill -TERM -- -" + server.pid()).start();
        assertThat(term.waitFor()).isZero();
        assertThat(server.waitFor(15, TimeUnit.SECONDS)).isTrue();
        LeavingNothingBehindTest.awaitAlive(name, 0);
    }
}
