package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.finished;
import static dev.skep.shell.TestShells.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
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
final class CommandsInOneBashTest {
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

    private ShellOutcome run(String command) throws InterruptedException {
        return shell.run(command, LONG);
    }

    @Test
    void folder_variables_and_functions_last_from_command_to_command() throws Exception {
        assertThat(finished(run("x=5; f() { echo \"f $1 $x\"; }; mkdir -p a/b; cd a/b"))).isEmpty();
        assertThat(finished(run("f one; pwd")))
                .isEqualTo("f one 5\n%s/alice/a/b\n".formatted(folder));
        assertThat(shell.cwd()).isEqualTo(folder + "/alice/a/b");
    }

    @Test
    void the_status_is_the_commands() throws Exception {
        assertThat(status(run("true"))).isZero();
        assertThat(status(run("(exit 7)"))).isEqualTo(7);
        assertThat(status(run("nonsense-program"))).isEqualTo(127);
    }

    @Test
    void standard_output_and_error_come_as_they_were_printed() throws Exception {
        assertThat(finished(run("echo 1; echo 2 >&2; echo 3; echo 4 > /dev/stderr")))
                .isEqualTo("1\n2\n3\n4\n");
    }

    @Test
    void any_text_of_a_command_arrives_as_written() throws Exception {
        assertThat(finished(run("cat <<'END'\nit's \\n \"$HOME\" `x` !! ü 漢 😀\ttab\nEND")))
                .isEqualTo("it's \\n \"$HOME\" `x` !! ü 漢 😀\ttab\n");
        String big = "y".repeat(300_000);
        assertThat(finished(run("wc -c <<'END'\n" + big + "\nEND")).strip()).isEqualTo("300001");
    }

    @Test
    void a_syntax_error_is_the_commands_and_not_the_shells_end() throws Exception {
        assertThat(finished(run("x=1; if then"))).contains("syntax error");
        assertThat(finished(run("echo 'unclosed"))).contains("unexpected EOF");
        assertThat(finished(run("cat <<END\nunclosed"))).contains("unclosed");
        assertThat(finished(run("echo ${x"))).contains("");
        assertThat(finished(run("echo fine"))).isEqualTo("fine\n");
    }

    @Test
    void an_unset_variable_ends_the_command_only() throws Exception {
        assertThat(finished(run("kept=1; set -u; echo $nothing; echo not reached")))
                .contains("nothing: unbound variable")
                .doesNotContain("not reached");
        assertThat(finished(run("echo $kept"))).isEqualTo("1\n");
    }

    @Test
    void a_command_that_closes_or_redirects_its_output_is_still_reported() throws Exception {
        assertThat(finished(run("exec >&- 2>&-; echo lost"))).isEmpty();
        assertThat(finished(run("echo back"))).isEqualTo("back\n");
        assertThat(finished(run("exec >log; echo kept"))).isEmpty();
        assertThat(finished(run("cat log"))).isEqualTo("kept\n");
    }

    @Test
    void a_command_that_prints_what_looks_like_a_report_only_prints() throws Exception {
        assertThat(finished(run("printf '\\036deadbeef done 1 0\\n/\\036'; echo; (exit 3)")))
                .contains("deadbeef done 1 0");
        assertThat(status(run("printf '\\036'; (exit 4)"))).isEqualTo(4);
        assertThat(finished(run("set; declare -f; env"))).doesNotContain("done %d");
    }

    @Test
    void tracing_goes_on_without_confusing_the_reports() throws Exception {
        assertThat(finished(run("set -x; echo traced"))).contains("+ echo traced");
        assertThat(finished(run("echo again; set +x"))).contains("again");
        assertThat(finished(run("echo quiet"))).isEqualTo("quiet\n");
    }

    @Test
    void background_jobs_run_on_and_their_output_comes_with_a_later_command() throws Exception {
        run("mkfifo go; (read _ <go; echo from the background) &");
        assertThat(finished(run("echo > go; wait"))).contains("from the background");
    }

    @Test
    void exit_ends_the_bash_and_the_next_command_gets_a_new_one_where_the_last_was()
            throws Exception {
        run("mkdir sub; cd sub; x=1; sleep 600 & echo $! > pid");
        ShellOutcome ended = run("echo bye; exit 3");
        assertThat(ended).isInstanceOf(ShellOutcome.Ended.class);
        assertThat(((ShellOutcome.Ended) ended).reason()).contains("exited with status 3", "/sub");
        assertThat(ended.output().text()).contains("bye");
        assertThat(finished(run("echo \"x=[$x]\"; pwd; kill -0 $(cat pid) && echo alive")))
                .isEqualTo("x=[]\n%s/alice/sub\nalive\n".formatted(folder));
        assertThat(run("exec true")).isInstanceOf(ShellOutcome.Ended.class);
        assertThat(run("kill -9 $$")).isInstanceOf(ShellOutcome.Ended.class);
        assertThat(run("set -e; false")).isInstanceOf(ShellOutcome.Ended.class);
        assertThat(finished(run("echo fine"))).isEqualTo("fine\n");
    }

    @Test
    void a_deleted_working_folder_is_no_end() throws Exception {
        run("mkdir gone; cd gone; rmdir ../gone");
        assertThat(run("exit")).isInstanceOf(ShellOutcome.Ended.class);
        assertThat(finished(run("pwd"))).isEqualTo(folder + "/alice\n");
    }

    @Test
    void nothing_asks_a_terminal() throws Exception {
        assertThat(finished(run("cat /dev/tty"))).contains("/dev/tty");
        assertThat(finished(run("tty; echo $TERM $PAGER $GIT_TERMINAL_PROMPT $DEBIAN_FRONTEND")))
                .isEqualTo("not a tty\ndumb cat 0 noninteractive\n");
    }

    @Test
    void a_search_program_that_prefers_a_pipe_searches_the_folder() throws Exception {
        run("mkdir bin; printf '#!/bin/sh\\n[ -p /dev/stdin ] && cat || echo folder' > bin/rg");
        run("chmod +x bin/rg; PATH=$PWD/bin:$PATH");
        assertThat(finished(shell.run("rg x | cat", Duration.ofSeconds(5)))).isEqualTo("folder\n");
        assertThat(finished(run("echo piped | rg x"))).isEqualTo("piped\n");
    }

    @Test
    void a_busy_shell_refuses_a_second_command() throws Exception {
        shell.run("sleep 600", Duration.ZERO);
        assertThatThrownBy(() -> run("echo")).isInstanceOf(SkepException.class);
    }
}
