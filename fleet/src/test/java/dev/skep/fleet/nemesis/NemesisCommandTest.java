package dev.skep.fleet.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class NemesisCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new NemesisMain())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    @Test
    void it_shows_what_it_would_do() {
        assertThat(run("--plan", "--seed", "1", "--minutes", "1")).isZero();
        assertThat(out.toString()).contains("runner-1>hub-2").contains("Killed[]");
    }

    @Test
    void it_refuses_what_it_does_not_know() {
        assertThat(run("--without", "rain")).isEqualTo(2);
        assertThat(err.toString()).contains("--without takes kinds of faults").contains("kill");
        assertThat(run("--minutes", "0")).isEqualTo(2);
        assertThat(run("--runners", "0")).isEqualTo(2);
    }
}
