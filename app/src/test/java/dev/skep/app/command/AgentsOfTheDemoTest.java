package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.demo.Demo;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.runner.terminal.TerminalOutput;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the demo's agents do when a person takes longer than the others. */
@Timeout(60)
class AgentsOfTheDemoTest {
    private static final String ASKS = "wants to run: echo \"%08d\"";

    @TempDir Path home;

    @Test
    void mia_reads_on_after_an_approval_however_much_came_in_meanwhile() throws Exception {
        Path agents = Files.createDirectories(home.resolve(".skep/agents"));
        for (String file : new String[] {"mia.yaml", "mia.script.yaml"}) {
            try (var in = Demo.class.getResourceAsStream("dock/" + file)) {
                Files.copy(Objects.requireNonNull(in), agents.resolve(file));
            }
        }
        PipedReader shown = new PipedReader(1 << 20);
        try (var lifecycle = new Lifecycle();
                var lines = new BufferedReader(shown)) {
            var terminalOutput =
                    new TerminalOutput(new PrintWriter(new PipedWriter(shown)), false, false);
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            flags.give(Setting.REGISTRY_PORT, "none");
            CommandContext silent = context(new StringWriter(), new StringWriter());
            new Assembly(silent.configuration(flags), lifecycle, home, "test")
                    .open(
                            Composition.run(false, false),
                            new Terminal(terminalOutput, Optional.empty(), false));
            terminalOutput.start();

            asksToRelease(1);
            await(lines, ASKS.formatted(1));
            for (int build = 2; build <= 8; build++) {
                asksToRelease(build);
            }
            for (int build = 1; build <= 3; build++) {
                JsonFields waiting = Json.fields(run("approvals", "--json"));
                run("approvals", "approve", waiting.list("approvals").getFirst().text("id"));
                await(lines, ASKS.formatted(build + 1));
            }
            JsonFields decided =
                    Json.fields(run("approvals", "--all", "--json")).list("approvals").getLast();
            assertThat(decided.text("decidedBy")).isEqualTo("the command line");
            assertThat(decided.optionalText("decidedThrough")).isEmpty();
            assertThat(run("approvals", "--all"))
                    .containsPattern(
                            "approved +the command line +"
                                    + decided.text("decidedAt").substring(0, 10));
        }
    }

    private void asksToRelease(int build) {
        run("mail", "send", "mia", "Release", "Please release build %08d.".formatted(build));
    }

    private static void await(BufferedReader lines, String words) throws IOException {
        for (String line = lines.readLine(); !line.contains(words); line = lines.readLine()) {
            assertThat(line).isNotNull();
        }
    }

    private String run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        assertThat(Program.run(context(out, err), arguments)).as(err.toString()).isZero();
        return out.toString();
    }

    private CommandContext context(StringWriter out, StringWriter err) {
        return TestContext.of(Map.of("PATH", System.getenv("PATH")), home, out, err);
    }
}
