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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsAboutWorkTest {
    @TempDir Path home;
    private String out = "";
    private String err = "";

    @Test
    void jobs_servers_and_nodes_are_steered_while_the_hub_runs_and_read_when_it_is_stopped()
            throws Exception {
        Path dataDir = Files.createDirectories(home.resolve(".skep"));
        Files.writeString(dataDir.resolve("allowed-commands"), "*\n");
        Files.writeString(dataDir.resolve("allowed-env"), "# for web\nWORD\n");
        String done;
        try (var lifecycle = new Lifecycle()) {
            List<String> told = up(lifecycle);
            Eventually.holds("the command says so", () -> run("jobs", "--host", "box") == 0);
            aShellJobsOutputAndEndAreTheCommands();
            done = jobsAreShownCancelledAndRepeated();
            whatAgentsMayAskForIsChosen();
            whatTheOrgSetsIsShownAndChanged();
            serversAreStartedReadStoppedAndRemoved();
            webhooksAreAddedTestedAndRemoved();
            notificationsAreChosenAndTested();
            nodesAreListedAndShown(told);
        }
        assertThat(run("jobs")).isZero();
        assertThat(out).containsPattern(done + " +succeeded +box +.* shell +echo detached");
        assertThat(run("jobs", "output", done)).isZero();
        assertThat(out).startsWith("detached\n");
        assertThat(run("jobs", "run", "box", "true")).isEqualTo(3);
        assertThat(err).contains("no hub is running here").endsWith("[hub_unreachable]\n");
        assertThat(run("nodes")).isZero();
        assertThat(out).containsPattern("node-1 +box +offline +laptop:7001");
    }

    private void aShellJobsOutputAndEndAreTheCommands() {
        assertThat(run("jobs", "run", "box", "echo hello; echo oops >&2")).isZero();
        assertThat(out).isEqualTo("hello\n");
        assertThat(err).isEqualTo("oops\n");

        assertThat(run("jobs", "run", "--timeout", "1m", "box", "echo", "--json", "-f")).isZero();
        assertThat(out).isEqualTo("--json -f\n");

        assertThat(run("jobs", "run", "box", "exit 3")).isEqualTo(1);
        assertThat(err.lines())
                .singleElement()
                .asString()
                .endsWith("failed with exit status 3 [job_failed]");

        assertThat(run("jobs", "run", "--json", "box", "exit 3")).isEqualTo(1);
        assertThat(out).contains("\"status\":\"failed\"").contains("\"exitStatus\":3");

        assertThat(run("jobs", "run", "nowhere", "true")).isEqualTo(1);
        assertThat(err).contains("there is no host nowhere; 'skep hosts'").contains("[not_found]");
    }

    private void whatAgentsMayAskForIsChosen() {
        assertThat(run("jobs", "policy")).isZero();
        assertThat(out).containsPattern("agents may ask +agent.task\\Rexcess +waits");
        assertThat(run("jobs", "policy", "--agents", "shell, agent.task")).isZero();
        assertThat(out).containsPattern("agents may ask +agent.task, shell");
        assertThat(run("jobs", "policy", "--refuse-excess", "yes", "--agents", "none")).isZero();
        assertThat(out)
                .containsPattern("agents may ask +nothing")
                .containsPattern("excess +refused");
        assertThat(run("jobs", "policy", "--agents", "agent.approve")).isEqualTo(2);
        assertThat(err).contains("agent.approve cannot be granted").contains("[bad_request]");
        assertThat(run("jobs", "policy", "--refuse-excess", "no")).isZero();
    }

    private void whatTheOrgSetsIsShownAndChanged() {
        assertThat(run("settings")).isZero();
        assertThat(out).containsPattern("offline after +120 s \\(usual\\)");
        assertThat(run("settings", "--offline-after", "5m", "--degraded-cpu", "90%")).isZero();
        assertThat(out)
                .containsPattern("offline after +300 s\\R")
                .containsPattern("job lease +30 s \\(usual\\)")
                .containsPattern("degraded cpu +90 %\\R");
        assertThat(run("settings", "--job-lease", "5s")).isEqualTo(2);
        assertThat(err).contains("'jobLeaseSeconds' must be from 30 to 3600");
        assertThat(run("settings", "--offline-after", "soon")).isEqualTo(2);
        assertThat(err).contains("--offline-after is \"soon\"; write seconds, or 90s, 15m, 2h");
        assertThat(run("settings", "--offline-after", "usual", "--degraded-cpu", "usual")).isZero();
        assertThat(out).containsPattern("offline after +120 s \\(usual\\)");
    }

    private String jobsAreShownCancelledAndRepeated() {
        assertThat(run("jobs", "run", "--detach", "box", "echo", "detached")).isZero();
        String job = out.strip();
        assertThat(run("jobs", "output", "-f", job)).isZero();
        assertThat(out).isEqualTo("detached\n");
        assertThat(run("jobs", "retry", job)).isZero();
        assertThat(run("jobs", "output", "-f", job)).isZero();
        assertThat(run("jobs", "show", job)).isZero();
        assertThat(out)
                .containsPattern("status +succeeded")
                .containsPattern("host +box \\(01")
                .containsPattern("\n2 +20.* succeeded");

        assertThat(run("jobs", "create", "box", "agent.pause", "--payload", "{\"agent\": \"bob\"}"))
                .isZero();
        String paused = out.strip();
        assertThat(run("jobs", "output", "-f", paused)).isZero();
        assertThat(run("jobs", "show", paused)).isZero();
        assertThat(out).containsPattern("\n1 +20.* succeeded: bob is paused");

        assertThat(run("jobs", "create", "--at", "2099-01-01T00:00:00Z", "box", "later")).isZero();
        String later = out.strip();
        assertThat(run("jobs", "--status", "pending", "--json")).isZero();
        assertThat(out).contains(later).doesNotContain(job);
        assertThat(run("jobs", "cancel", later)).isZero();
        assertThat(out).contains("is cancelled");
        assertThat(run("jobs", "cancel", later)).isEqualTo(1);
        assertThat(err).contains("[conflict]");

        assertThat(run("jobs", "create", "box", "agent.pause", "--payload", "alice")).isEqualTo(2);
        assertThat(err).contains("--payload is not a JSON object");
        assertThat(run("jobs", "show", "nonsense")).isEqualTo(1);
        assertThat(err).contains("there is no job nonsense");
        return job;
    }

    private void serversAreStartedReadStoppedAndRemoved() {
        assertThat(
                        run(
                                "servers", "add", "--env", "WORD=hi", "box", "web", "echo",
                                "$WORD;", "exec", "sleep", "1000"))
                .isZero();
        assertThat(run("servers", "start", "web")).isZero();
        assertThat(out).isEqualTo("web is running\n");
        Eventually.holds(
                "the command says so",
                () -> run("servers", "logs", "web") == 0 && out.equals("hi\n"));
        Eventually.holds(
                "the command says so",
                () -> run("servers") == 0 && out.matches("(?s).*web +box +running +echo .*"));
        assertThat(run("servers", "remove", "web")).isEqualTo(1);
        assertThat(err).isEqualTo("skep: server web is running; stop it first [conflict]\n");
        assertThat(run("servers", "stop", "web")).isZero();
        assertThat(out).isEqualTo("web is stopped\n");
        Eventually.holds(
                "the command says so",
                () -> run("servers", "status", "web") == 0 && out.contains("stopped"));

        assertThat(run("servers", "add", "box", "web", "true")).isEqualTo(1);
        assertThat(err).contains("the host has a server web already").contains("[conflict]");
        assertThat(run("servers", "remove", "web")).isZero();
        assertThat(run("servers", "--json")).isZero();
        assertThat(out).isEqualTo("{\"servers\":[]}\n");
    }

    private void webhooksAreAddedTestedAndRemoved() {
        String url = "http://127.0.0.1:9/hook";
        assertThat(run("webhooks", "add", "ci", url, "--about", "job_run.done,JOB_FAILED"))
                .isZero();
        assertThat(out).startsWith("whsec_");
        assertThat(run("webhooks")).isZero();
        assertThat(out).containsPattern("generic +ci +JOB_FAILED, job_run.done +http://127");
        String id = out.lines().skip(1).findFirst().orElseThrow().replaceFirst(" .*", "");

        assertThat(run("webhooks", "test", id)).isEqualTo(1);
        assertThat(err).contains("is a private address").endsWith("[delivery_failed]\n");
        assertThat(run("webhooks", "deliveries", id)).isZero();
        assertThat(out).containsPattern("TEST +failed +1 .*private address");
        assertThat(run("webhooks", "add", "ci", url, "--about", "job.made")).isEqualTo(2);
        assertThat(err).contains("there is no topic [job.made]").contains("host.offline");
        assertThat(run("webhooks", "remove", id)).isZero();
        assertThat(run("webhooks", "--json")).isZero();
        assertThat(out).isEqualTo("{\"webhooks\":[]}\n");
    }

    private void notificationsAreChosenAndTested() {
        assertThat(run("operators", "add", "lena")).isZero();
        assertThat(run("notifications")).isEqualTo(2);
        assertThat(err).contains("whose notifications?");
        String url = "http://127.0.0.1:9/services/hidden";
        assertThat(run("notifications", "add", "--for", "lena", "slack", url, "--name", "team"))
                .isZero();
        assertThat(out).startsWith("added as ");
        assertThat(run("notifications", "set", "--for", "lena", "team", "approval", "mail"))
                .isZero();
        assertThat(out).isEqualTo("it tells approval, mail\n");
        assertThat(run("notifications", "--for", "lena")).isZero();
        assertThat(out).containsPattern("slack +team +http://127.0.0.1:9/… +approval, mail");
        assertThat(out).doesNotContain("hidden");
        assertThat(run("notifications", "test", "--for", "lena", "team")).isEqualTo(1);
        assertThat(err).contains("is a private address").endsWith("[delivery_failed]\n");
        assertThat(run("notifications", "deliveries", "--everybody")).isZero();
        assertThat(out).containsPattern("lena +team +test +given up +1 .*private address");
        assertThat(run("notifications", "remove", "--for", "lena", "team")).isZero();
        assertThat(run("notifications", "mail-server")).isEqualTo(1);
        assertThat(
                        run(
                                "notifications",
                                "mail-server",
                                "--host",
                                "mail.example.org",
                                "--sender",
                                "skep@example.org"))
                .isZero();
        assertThat(run("notifications", "mail-server")).isZero();
        assertThat(out).contains("mail.example.org").contains("465");
        assertThat(run("notifications", "mail-server", "--remove")).isZero();
    }

    private void nodesAreListedAndShown(List<String> told) {
        String url =
                told.stream()
                        .filter(line -> line.startsWith("nodes register at "))
                        .findFirst()
                        .orElseThrow()
                        .replaceFirst(".* ", "");
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket node =
                    client.newWebSocketBuilder()
                            .buildAsync(URI.create(url), new WebSocket.Listener() {})
                            .join();
            node.sendText(
                            """
                            {"id": "1", "method": "register", "params": {"id": "node-1", "machine": "laptop",
                            "cwd": "/work", "port": 7001, "status": "active"}}""",
                            true)
                    .join();
            Eventually.holds(
                    "the command says so", () -> run("nodes") == 0 && out.contains("node-1"));
            assertThat(out).containsPattern("node-1 +box +active +laptop:7001 +20.* /work");
            assertThat(run("nodes", "show", "node-1")).isZero();
            assertThat(out).containsPattern("host +box \\(01").contains("registered");
            assertThat(run("orgs", "add", "acme")).isZero();
            assertThat(run("nodes", "--org", "acme", "--json")).isZero();
            assertThat(out).isEqualTo("{\"nodes\":[]}\n");
            node.abort();
            Eventually.holds(
                    "the command says so", () -> run("nodes") == 0 && out.contains("offline"));
        }
        assertThat(run("nodes", "show", "nonsense")).isEqualTo(1);
        assertThat(err).contains("there is no node nonsense; 'skep nodes'");
    }

    @Test
    void a_runner_alone_says_that_it_has_no_hub() {
        run("agents", "new", "carol", "--model", "scripted:x.script.yaml");
        assertThat(run("jobs")).isEqualTo(1);
        assertThat(err).contains("there is no hub in ").endsWith("[not_found]\n");
        assertThat(run("servers", "--org", "acme")).isEqualTo(1);
        assertThat(err).contains("there is no org acme");
        assertThat(run("nodes")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jobs --status done",
                "jobs run box --detach true",
                "jobs run box --",
                "jobs run --timeout soon box true",
                "jobs run --at tomorrow box true",
                "servers add box web --restart never true"
            })
    void what_is_wrong_with_a_command_is_said_before_anything_is_opened(String command) {
        assertThat(run(command.split(" ", -1))).isEqualTo(2);
        assertThat(err.lines()).singleElement().asString().endsWith("[bad_request]");
        assertThat(home.resolve(".skep")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jobs",
                "jobs run",
                "servers",
                "servers add",
                "nodes",
                "nodes show",
                "webhooks"
            })
    void every_command_has_help_without_the_flags_of_services(String command) {
        assertThat(run((command + " --help").split(" ", -1))).isZero();
        assertThat(out)
                .contains("Usage: skep " + command, "--data-dir", "--json")
                .doesNotContain("--tls-key");
    }

    private List<String> up(Lifecycle lifecycle) {
        SettingFlags flags = new SettingFlags();
        flags.give(Setting.LISTEN, "127.0.0.1:0");
        flags.give(Setting.REGISTRY_PORT, "0");
        flags.give(Setting.HOSTNAME, "box");
        return new Assembly(
                        context(new StringWriter(), new StringWriter()).configuration(flags),
                        lifecycle,
                        home,
                        "test")
                .open(Composition.run(true, false), Terminal.none())
                .lines();
    }

    private int run(String... arguments) {
        var printed = new StringWriter();
        var errors = new StringWriter();
        int status = Program.run(context(printed, errors), arguments);
        out = printed.toString();
        err = errors.toString();
        return status;
    }

    private CommandContext context(StringWriter printed, StringWriter errors) {
        return TestContext.of(Map.of("PATH", System.getenv("PATH")), home, printed, errors);
    }
}
