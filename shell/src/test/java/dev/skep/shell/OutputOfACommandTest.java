package dev.skep.shell;

import static dev.skep.shell.TestShells.LONG;
import static dev.skep.shell.TestShells.SHORT;
import static dev.skep.shell.TestShells.finished;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OutputOfACommandTest {
    @TempDir Path folder = Path.of("");
    private Shell shell = TestShells.TRUSTED.open(folder);

    @BeforeEach
    void open() {
        shell = TestShells.TRUSTED.open(folder);
    }

    @AfterEach
    void close() {
        shell.close();
    }

    @Test
    void long_output_keeps_its_head_and_its_tail() throws Exception {
        CappedOutput output = shell.run("seq 1 100000", LONG).output();
        assertThat(output.head()).startsWith("1\n2\n3\n").hasSize(2000);
        assertThat(output.tail()).endsWith("99999\n100000\n").hasSize(2000);
        assertThat(output.omittedChars()).isEqualTo(588_895 - 4000);
    }

    @Test
    void half_a_word_at_the_cut_stays_out_for_it_may_be_half_a_secret() {
        assertThat(new CappedOutput("it is correct-ho", 10, "ttery so").text())
                .isEqualTo("it is \n[... 25 characters omitted ...]\n so");
        String line = "x".repeat(300);
        assertThat(new CappedOutput(line, 10, line).text())
                .isEqualTo(line + "\n[... 10 characters omitted ...]\n" + line);
    }

    @Test
    void output_at_the_cap_is_whole() throws Exception {
        assertThat(finished(shell.run("printf '%04000d' 0", LONG))).hasSize(4000);
        assertThat(shell.run("printf '%04001d' 0", LONG).output().omittedChars()).isEqualTo(1);
    }

    @Test
    void an_endless_flood_takes_bounded_memory_and_can_be_killed() throws Exception {
        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        long before = runtime.totalMemory() - runtime.freeMemory();
        ShellOutcome outcome = shell.run("yes", SHORT);
        assertThat(outcome.output().omittedChars()).isPositive();
        outcome = shell.await(SHORT);
        runtime.gc();
        assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(8_000_000);
        assertThat(outcome).isInstanceOf(ShellOutcome.StillRunning.class);
        assertThat(shell.kill()).isInstanceOf(ShellOutcome.Finished.class);
        assertThat(finished(shell.run("echo fine", LONG))).isEqualTo("fine\n");
    }

    @Test
    void bytes_that_are_no_text_become_replacement_characters() throws Exception {
        assertThat(finished(shell.run("printf 'a\\xff\\xfeb\\0c\\x01d\\xe6\\xbc'; echo", LONG)))
                .isEqualTo("a\ufffd\ufffdb\ufffdc\ufffdd\ufffd\n");
        assertThat(finished(shell.run("head -c 100000 /dev/urandom; echo; echo end", LONG)))
                .endsWith("end\n")
                .doesNotContain("\0");
    }

    @Test
    void a_character_is_whole_however_its_bytes_arrive() throws Exception {
        assertThat(
                        finished(
                                shell.run(
                                        "printf '\\xf0\\x9f'; sleep 0.05; printf '\\x98\\x80'",
                                        LONG)))
                .isEqualTo("😀");
        assertThat(shell.run("for i in {1..3000}; do printf 😀; done", LONG).output().text())
                .doesNotContain("?")
                .matches("(😀)+\n\\[.*\\]\n(😀)+");
    }

    @Test
    void terminal_escapes_are_left_out() throws Exception {
        assertThat(
                        finished(
                                shell.run(
                                        "printf '\\e[1;31mred\\e[0m \\e]0;title\\a\\e(Bplain\\n'",
                                        LONG)))
                .isEqualTo("red plain\n");
    }
}
