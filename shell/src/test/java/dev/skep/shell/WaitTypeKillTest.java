package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.finished;
import static dev.skep.shell.TestShells.status;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestShells.class)
final class WaitTypeKillTest {
    @Parameter TestShells kind = TestShells.TRUSTED;

    @TempDir Path folder = Path.of("");
    private Shell shell = TestShells.TRUSTED.open(folder);

    @BeforeEach
    void open() {
        shell = kind.open(folder);
    }

    @AfterEach
    void close() {
        shell.close();
    }

    private void begin(String command) throws InterruptedException {
        TestShells.begin(shell, command);
        assertThat(shell.busy()).isTrue();
    }

    @Test
    void a_command_over_its_time_goes_on_and_can_be_awaited() throws Exception {
        begin("mkfifo go; echo first; read line <go; echo second");
        assertThat(shell.await(Duration.ZERO)).isInstanceOf(ShellOutcome.StillRunning.class);
        assertThat(folder.resolve("alice/go")).exists();
        new ProcessBuilder("bash", "-c", "echo > '" + folder.resolve("alice/go") + "'")
                .start()
                .waitFor();
        assertThat(finished(shell.await(LONG))).isEqualTo("second\n");
        assertThat(shell.busy()).isFalse();
    }

    @Test
    void typed_text_reaches_the_running_command_and_not_the_next() throws Exception {
        begin("echo name?; read name; echo \"hello $name\"");
        assertThat(finished(shell.type("Ada", LONG))).isEqualTo("hello Ada\n");
        begin("echo more?; read a");
        shell.type("one\ntwo\nthree", LONG);
        begin("echo waits; read b; echo \"got $b\"");
        assertThat(finished(shell.type("fresh", LONG))).isEqualTo("got fresh\n");
    }

    @Test
    void kill_interrupts_all_that_the_command_would_still_have_done() throws Exception {
        begin("kept=1; f() { while :; do echo loop; sleep 600; done; }; f; echo not reached");
        ShellOutcome killed = shell.kill();
        assertThat(status(killed)).isEqualTo(130);
        assertThat(killed.output().text()).doesNotContain("not reached");
        assertThat(finished(shell.run("echo $kept", LONG))).isEqualTo("1\n");
    }

    @Test
    void kill_interrupts_though_the_runner_was_started_where_signals_are_ignored()
            throws Exception {
        Process runner =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "trap '' INT QUIT HUP; exec \"$@\"",
                                "background",
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                DeafRunner.class.getName(),
                                kind.name(),
                                folder.resolve("deaf").toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader lines = runner.inputReader()) {
            assertThat(lines.lines()).containsExactly("130", "yes");
        } finally {
            runner.destroyForcibly().waitFor();
        }
    }

    @Test
    void a_program_deaf_to_int_and_term_is_killed_and_the_shell_lives() throws Exception {
        shell.run("kept=1", LONG);
        begin("bash -c 'trap \"\" INT TERM; echo deaf; while :; do sleep 600; done'");
        assertThat(status(shell.kill())).isEqualTo(137);
        assertThat(finished(shell.run("echo $kept", LONG))).isEqualTo("1\n");
    }

    @Test
    void a_bash_deaf_to_int_is_replaced() throws Exception {
        begin("trap '' INT; echo deaf; while :; do :; done");
        assertThat(shell.kill()).isInstanceOf(ShellOutcome.Ended.class);
        assertThat(finished(shell.run("echo fine", LONG))).isEqualTo("fine\n");
    }

    @Test
    void background_jobs_of_earlier_commands_survive_a_kill() throws Exception {
        shell.run("sleep 600 & echo $! > pid", LONG);
        begin("bash -c 'trap \"\" INT TERM; echo deaf; while :; do sleep 600; done'");
        shell.kill();
        assertThat(finished(shell.run("kill -0 $(cat pid) && echo alive", LONG))).contains("alive");
    }

    @Test
    void closing_answers_who_waits() throws Exception {
        begin("echo started; sleep 600");
        Thread closer = Thread.ofVirtual().start(shell::close);
        assertThat(shell.await(LONG)).isInstanceOf(ShellOutcome.Ended.class);
        closer.join();
        assertThat(shell.run("echo", LONG)).isInstanceOf(ShellOutcome.Ended.class);
    }

    @Test
    void an_interrupted_wait_leaves_the_command_running() throws Exception {
        begin("mkfifo go; echo started; read line <go; echo done");
        Thread.currentThread().interrupt();
        try {
            shell.await(LONG);
            throw new AssertionError("not interrupted");
        } catch (InterruptedException expected) {
            assertThat(shell.busy()).isTrue();
        }
        assertThat(status(shell.kill())).isEqualTo(130);
    }
}
