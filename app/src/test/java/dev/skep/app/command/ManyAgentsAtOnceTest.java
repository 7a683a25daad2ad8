package dev.skep.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.SettingFlags;
import dev.skep.cli.config.Setting;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same is done to many agents by one command. */
class ManyAgentsAtOnceTest {
    @TempDir Path home;
    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private CommandContext context() {
        out = new StringWriter();
        err = new StringWriter();
        return TestContext.of(Map.of("PATH", System.getenv("PATH")), home, out, err);
    }

    private int run(String... arguments) {
        return Program.run(context(), arguments);
    }

    private void with(Composition composition, Runnable test) {
        try (var lifecycle = new Lifecycle()) {
            SettingFlags flags = new SettingFlags();
            flags.give(Setting.LISTEN, "127.0.0.1:0");
            flags.give(Setting.REGISTRY_PORT, "none");
            flags.give(Setting.HOSTNAME, "here");
            new Assembly(context().configuration(flags), lifecycle, home, "test")
                    .open(composition, Terminal.none());
            Eventually.holds(
                    "both agents work",
                    () -> run("agents") == 0 && !out.toString().contains("stopped"));
            test.run();
        }
    }

    @Test
    void on_a_host_without_a_hub_they_are_the_agents_of_this_host() {
        with(
                Composition.run(false, false),
                () -> {
                    assertThat(run("agents", "pause", "--all")).isZero();
                    assertThat(out.toString()).contains("pause: done by 2 of 2 agents");
                    assertThat(run("agents", "resume", "alice", "bob")).isZero();
                    assertThat(run("agents", "stop", "alice", "nobody")).isEqualTo(1);
                    assertThat(err.toString()).contains("'nobody'", "nothing was done to any");
                    assertThat(run("agents", "talk", "--all", "well", "done")).isZero();
                    assertThat(out.toString()).contains("talk: done by 2 of 2 agents");
                    assertThat(run("agents", "pause")).isEqualTo(2);
                    assertThat(err.toString()).contains("--all or --host HOST");
                    assertThat(run("agents", "pause", "--host", "there")).isEqualTo(1);
                    assertThat(err.toString()).contains("asked of a hub");

                    assertThat(run("agents", "stop-all", "--reason", "a drill")).isZero();
                    assertThat(out.toString()).contains("2 agents stand still");
                    assertThat(run("agents", "start", "--all")).isEqualTo(1);
                    assertThat(err.toString()).contains("alice@here: all agents here were stopped");
                    assertThat(run("agents", "stop-all", "--undo")).isZero();
                    assertThat(out.toString()).contains("go on as they were");
                    assertThat(run("agents", "stop-all", "--undo")).isEqualTo(1);
                    assertThat(err.toString()).contains("nothing stops all agents");
                    assertThat(run("audit")).isZero();
                    assertThat(out.toString()).contains("agents_stopped", "agents_let_go");
                });
    }

    @Test
    void at_a_hub_they_are_those_of_the_org_and_the_answer_names_who_refused() {
        with(
                Composition.UP,
                () -> {
                    Eventually.holds(
                            "the hub knows them",
                            () ->
                                    run("agents", "pause", "--all") == 0
                                            && out.toString().contains("done by 2 of 2"));
                    assertThat(run("agents", "resume", "--host", "here")).isZero();
                    assertThat(out.toString()).contains("resume: done by 2 of 2 agents");
                    assertThat(run("agents", "pause", "--host", "nowhere")).isEqualTo(1);
                    assertThat(err.toString()).contains("there is no host nowhere");
                    assertThat(run("agents", "stop", "bob")).isZero();
                    assertThat(run("agents", "pause", "--all")).isEqualTo(1);
                    assertThat(out.toString()).contains("pause: done by 1 of 2 agents");
                    assertThat(err.toString())
                            .contains("bob@here: bob is not running; start it first");

                    assertThat(run("agents", "stop-all", "--json")).isZero();
                    assertThat(out.toString()).contains("\"state\":\"held\"", "\"agents\":2");
                    assertThat(run("agents", "start", "bob")).isEqualTo(1);
                    assertThat(err.toString()).contains("all agents here were stopped");
                    assertThat(run("agents", "stop-all", "--undo")).isZero();
                    assertThat(run("agents")).isZero();
                    // Each is what it was.
                    assertThat(out.toString()).containsPattern("alice +paused");
                    assertThat(out.toString()).containsPattern("bob +stopped");
                });
    }
}
