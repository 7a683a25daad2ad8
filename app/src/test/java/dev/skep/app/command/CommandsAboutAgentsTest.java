package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.Terminal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Stream;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsAboutAgentsTest {
    @TempDir Path home;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @Test
    void a_first_run_shows_two_agents_at_work_and_so_do_the_commands_up_and_stopped()
            throws Exception {
        PipedReader shown = new PipedReader(1 << 20);
        try (var lifecycle = new Lifecycle();
                var lines = new BufferedReader(shown)) {
            var stream = new Stream(new PrintWriter(new PipedWriter(shown)), false, false);
            SettingFlags flags = new SettingFlags();
            flags.listen("127.0.0.1:0");
            flags.registryPort("none");
            assertThat(
                            new Assembly(context().configuration(flags), lifecycle, home, "test")
                                    .open(
                                            Composition.run(false, false),
                                            new Terminal(stream, Optional.empty())))
                    .contains("2 agents");
            for (String line = lines.readLine();
                    !line.contains("1 times noted");
                    line = lines.readLine()) {
                assertThat(line).isNotNull();
            }
            assertThat(run("agents")).isZero();
            assertThat(out.toString())
                    .containsPattern("alice +(active|waiting)")
                    .contains("Timekeeper");
            assertThat(run("agents", "talk", "alice", "well", "done")).isZero();
            assertThat(run("agents", "pause", "bob")).isZero();
            assertThat(out.toString()).contains("bob is paused");
            assertThat(run("mail", "send", "nobody", "Hi", "there")).isEqualTo(1);
            assertThat(err.toString()).contains("there is no agent 'nobody'", "[conflict]");
        }
        assertThat(run("agents", "talk", "alice", "hello")).isEqualTo(1);
        assertThat(err.toString()).contains("no runner is running here");
        assertThat(run("mail", "alice")).isZero();
        assertThat(out.toString()).contains("My clock says");
        assertThat(run("logs", "bob", "--limit", "1000")).isZero();
        assertThat(out.toString()).contains("clock=");
        assertThat(run("costs", "--by", "model", "--json")).isZero();
        assertThat(out.toString()).contains("\"group\":\"scripted:alice.script.yaml\"");
        assertThat(run("sessions")).isZero();
        assertThat(out.toString()).containsPattern("alice +01[0-9A-Z]{24} +1 +scripted");
        assertThat(run("agents", "remove", "bob")).isZero();
        assertThat(run("agents")).isZero();
        assertThat(out.toString()).containsPattern("bob +removed");
    }

    @Test
    void an_agent_can_be_made_before_anything_ever_ran() {
        assertThat(
                        run(
                                "agents",
                                "new",
                                "carol",
                                "--model",
                                "scripted:x.script.yaml",
                                "--title",
                                "Tester"))
                .isZero();
        assertThat(home.resolve(".skep/agents/carol.yaml")).exists();
        assertThat(run("agents")).isZero();
        assertThat(out.toString()).containsPattern("carol +stopped");
        assertThat(run("approvals")).isZero();
        assertThat(run("agents", "check")).isZero();
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Skep.run(context(), arguments);
    }

    private CommandContext context() {
        return new CommandContext(
                Map.of("PATH", System.getenv("PATH")),
                home,
                home,
                InstantSource.system(),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                new AtomicReference<>());
    }
}
