package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.runner.terminal.TerminalOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            var terminalOutput =
                    new TerminalOutput(new PrintWriter(new PipedWriter(shown)), false, false);
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            flags.give(Setting.REGISTRY_PORT, "none");
            assertThat(
                            new Assembly(context().configuration(flags), lifecycle, home, "test")
                                    .open(
                                            Composition.run(false, false),
                                            new Terminal(terminalOutput, Optional.empty(), false))
                                    .lines())
                    .contains("2 agents");
            terminalOutput.start();
            for (String line = lines.readLine();
                    !line.contains("1 times noted");
                    line = lines.readLine()) {
                assertThat(line).isNotNull();
            }
            assertThat(run("agents", "list")).isZero();
            assertThat(out.toString())
                    .containsPattern("alice +(active|waiting)")
                    .contains("Timekeeper");
            assertThat(run("agents", "talk", "alice", "well", "done")).isZero();
            assertThat(run("agents", "pause", "bob")).isZero();
            assertThat(out.toString()).contains("bob is paused");
            assertThat(run("agents", "reload")).isZero();
            assertThat(out.toString()).isEqualTo("2 agents\n");
            aModelThatWasAddedIsKnownOnceReloaded();
            Path broken = home.resolve(".skep/agents/dan.yaml");
            Files.writeString(broken, "model: m\n");
            assertThat(run("agents", "reload")).isZero();
            assertThat(out.toString()).startsWith("2 agents; ").contains("'skep agents check'");
            Files.delete(broken);
            assertThat(run("mail", "send", "nobody", "Hi", "there")).isEqualTo(1);
            assertThat(err.toString()).contains("there is no agent 'nobody'; 'skep agents'");
            assertThat(run("mail", "--box", "outbox")).isEqualTo(2);
            assertThat(err.toString()).contains("a mailbox belongs to an agent");
            assertThat(run("mail", "alice", "--search", "clock says")).isZero();
            assertThat(out.toString()).contains("My clock says");
        }
        assertThat(run("agents", "talk", "alice", "hello")).isEqualTo(1);
        assertThat(err.toString()).contains("no runner is running here");
        assertThat(run("mail", "alice")).isZero();
        assertThat(out.toString()).contains("My clock says");
        assertThat(run("mail", "list")).isZero();
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

    private void aModelThatWasAddedIsKnownOnceReloaded() throws IOException {
        assertThat(run("agents", "new", "dora", "--model", "house/model")).isZero();
        assertThat(out.toString()).contains("model house/model is not known");
        assertThat(run("agents")).isZero();
        assertThat(out.toString()).containsPattern("dora +failed .*model house/model is not known");

        Path models = home.resolve(".skep/models.yaml");
        Files.writeString(models, "models: [ { name: house/model, provider: nobody } ]\n");
        assertThat(run("agents", "reload")).isZero();
        assertThat(out.toString()).contains("the models stay as they were: ", "models.yaml:1:42: ");
        Files.writeString(
                models,
                """
                models:
                  - name: house/model
                    provider: openai_compatible
                    url: http://127.0.0.1:9/v1
                    context_tokens: 1000
                """);
        assertThat(run("agents", "reload")).isZero();
        assertThat(run("agents", "start", "dora")).isZero();
        assertThat(run("agents", "remove", "dora")).isZero();
        Files.delete(home.resolve(".skep/agents/dora.yaml"));
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
        assertThat(out.toString()).contains("can be read");
    }

    @Test
    void a_broken_file_is_named_by_place_key_and_fix_for_editors() throws Exception {
        Path file = Files.createDirectories(home.resolve(".skep/agents")).resolve("dan.yaml");
        Files.writeString(file, "prompt: x\nmodel: m\nspend_limt: 3\n");
        assertThat(run("agents", "check")).isEqualTo(1);
        assertThat(out.toString()).startsWith("agents/dan.yaml:3:1: spend_limt: ");
        assertThat(out.toString()).contains("spend_limit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"agents", "agents new", "agents talk", "mail send", "approvals approve"})
    void every_command_has_help_without_the_flags_of_services(String command) {
        String[] words = (command + " --help").split(" ", -1);
        assertThat(run(words)).isZero();
        assertThat(out.toString())
                .contains("Usage: skep " + command, "--data-dir")
                .doesNotContain("--tls-key");
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Program.run(context(), arguments);
    }

    private CommandContext context() {
        return TestContext.of(Map.of("PATH", System.getenv("PATH")), home, out, err);
    }
}
