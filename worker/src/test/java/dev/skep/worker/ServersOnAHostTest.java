package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.kernel.consent.Consents;
import dev.skep.shell.GuardedCommand;
import dev.skep.shell.SandboxedCommands;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.ResultStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServersOnAHostTest {
    @TempDir Path folder;
    private WorkerFixture fixture;
    private String server = "";

    @BeforeEach
    void open() {
        fixture = new WorkerFixture(folder);
    }

    @AfterEach
    void close() {
        // Whatever the test left running must not outlive it.
        fixture.askAs(fixture.hub.url(), "server.stop", server);
        fixture.close();
    }

    @Test
    void another_hub_that_knows_its_id_neither_stops_it_nor_learns_of_it() throws Exception {
        make("sleep 1000", "never");
        long pid = job("server.start").number("pid");
        for (String type :
                List.of("server.stop", "server.restart", "server.start", "server.status")) {
            JobResult refused = fixture.askAs("https://other-hub", type, server);
            assertThat(refused.status()).isEqualTo(ResultStatus.FAILED);
            assertThat(refused.detail().get("error")).asString().contains("not of this hub");
        }
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isPresent();
        assertThat(fixture.serverInstances.states("https://other-hub")).isEmpty();
        assertThat(fixture.serverInstances.states(fixture.hub.url())).containsOnlyKeys(server);

        // Also after a restart of the runner.
        fixture.worker.close();
        fixture.serverInstances.close();
        fixture.startWorker();
        assertThat(fixture.askAs("https://other-hub", "server.stop", server).status())
                .isEqualTo(ResultStatus.FAILED);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isPresent();
    }

    @Test
    void a_server_starts_logs_restarts_and_stops() throws Exception {
        Path up = pipe(folder.resolve("home/up"));
        make("bash -c 'echo ready; echo up > up; sleep 1000'", "never");
        JsonFields started = job("server.start");
        assertThat(started.text("state")).isEqualTo("running");
        long pid = started.number("pid");
        assertThat(ProcessHandle.of(pid)).isPresent();
        Instant since = since();
        assertThat(job("server.start").number("pid")).isEqualTo(pid);

        long again = job("server.restart").number("pid");
        assertThat(again).isNotEqualTo(pid);
        assertThat(ProcessHandle.of(again)).isPresent();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(since()).isAfter(since);
        awaitUp(up);

        assertThat(job("server.stop").text("state")).isEqualTo("stopped");
        assertThat(ProcessHandle.of(again).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Files.readString(folder.resolve("servers/" + server + "/log.txt")))
                .contains("ready");
    }

    @Test
    void a_server_whose_folder_is_missing_says_so() throws Exception {
        make(Map.of("command", "sleep 1000", "cwd", "not-there"));
        assertThat(job("server.start").text("error"))
                .contains("there is no folder")
                .contains("not-there");
    }

    @Test
    void a_server_that_fails_is_started_again() throws Exception {
        make("bash -c 'echo run >> runs.txt; sleep 1000'", "on-failure");
        long pid = job("server.start").number("pid");
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        fixture.awaitState(server, "restarting");
        fixture.awaitState(server, "running");
        assertThat(job("server.status").number("pid")).isNotEqualTo(pid);
    }

    @Test
    void a_server_that_ends_well_is_left_alone_unless_it_is_always_to_run() throws Exception {
        make("true", "on-failure");
        job("server.start");
        fixture.awaitState(server, "stopped");
    }

    @Test
    void a_runner_that_restarts_takes_its_servers_over_and_starts_none_twice() throws Exception {
        Path up = pipe(folder.resolve("home/up"));
        make("bash -c 'echo run >> runs.txt; echo up > up; sleep 1000'", "always");
        long pid = job("server.start").number("pid");
        awaitUp(up);
        Instant started = ProcessHandle.of(pid).orElseThrow().info().startInstant().orElseThrow();
        // As kill -9 would leave it: nothing is told to the servers.
        fixture.worker.close();
        fixture.serverInstances.close();
        fixture.startWorker();

        assertThat(job("server.status").number("pid")).isEqualTo(pid);
        assertThat(job("server.start").number("pid")).isEqualTo(pid);
        assertThat(since()).isCloseTo(started, within(1, ChronoUnit.SECONDS));
        assertThat(Files.readAllLines(folder.resolve("home/runs.txt"))).hasSize(1);
        assertThat(job("server.stop").text("state")).isEqualTo("stopped");
        assertThat(
                        ProcessHandle.of(pid)
                                .map(p -> p.onExit().orTimeout(5, TimeUnit.SECONDS).join())
                                .filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void a_server_that_died_while_the_runner_was_away_is_started_again() throws Exception {
        make("sleep 1000", "always");
        long pid = job("server.start").number("pid");
        fixture.worker.close();
        fixture.serverInstances.close();
        ProcessHandle gone = ProcessHandle.of(pid).orElseThrow();
        gone.destroyForcibly();
        gone.onExit().orTimeout(5, TimeUnit.SECONDS).join();
        fixture.startWorker();

        JsonFields status = job("server.status");
        assertThat(status.text("state")).isEqualTo("running");
        assertThat(status.number("pid")).isNotEqualTo(pid);
    }

    @Test
    void a_server_whose_variables_the_host_does_not_list_is_not_started() throws Exception {
        make(Map.of("command", "sleep 1000", "env", Map.of("BASH_ENV", "$(touch ran)")));
        assertThat(job("server.start").text("error")).contains("BASH_ENV", "allowed-env");
        assertThat(fixture.serverInstances.states(fixture.hub.url())).doesNotContainKey(server);
        assertThat(folder.resolve("home/ran")).doesNotExist();
    }

    @Test
    void a_server_from_before_the_list_starts_again_without_what_is_not_listed() throws Exception {
        Files.writeString(folder.resolve("allowed-env"), "MODE\n");
        make("of a hub that asks for something else", "always");
        Path up = pipe(folder.resolve("home/up"));
        stored(
                """
                {"command": "env; echo up > up; exec sleep 1000",
                 "env": {"BASH_ENV": "$(touch ran)", "MODE": "prod"}, "restart": "always"}
                """);
        restart();
        awaitUp(up);
        assertThat(Files.readString(folder.resolve("servers/" + server + "/log.txt")))
                .contains("MODE=prod\n")
                .doesNotContain("BASH_ENV");
        assertThat(folder.resolve("home/ran")).doesNotExist();
    }

    @Test
    void a_server_that_is_no_longer_allowed_is_not_started_again() throws Exception {
        make("of a hub that asks for something else", "always");
        stored("{\"command\": \"touch ran; sleep 1000\", \"restart\": \"always\"}");
        Files.writeString(folder.resolve("allowed-commands"), "uptime\n");
        restart();
        fixture.awaitState(server, "failed");
        assertThat(folder.resolve("home/ran")).doesNotExist();
    }

    @Test
    void what_runs_behind_a_wall_is_not_taken_for_a_server() throws Exception {
        assumeTrue(fixture.commands.isolation().walled());
        make("sleep 1000", "always");
        long pid = job("server.start").number("pid");
        fixture.worker.close();
        fixture.serverInstances.close();
        ProcessHandle gone = ProcessHandle.of(pid).orElseThrow();
        gone.destroyForcibly();
        gone.onExit().orTimeout(5, TimeUnit.SECONDS).join();
        SandboxedCommands elsewhere = WorkerFixture.commands(folder.resolve("elsewhere"));
        String forged = "echo up; SKEP_SERVER_INSTANCE=%s exec sleep 1000".formatted(server);
        try (GuardedCommand forger =
                elsewhere.start(new SandboxedCommands.Line(forged, elsewhere.home(), Map.of()))) {
            assertThat(forger.process().inputReader().readLine()).isEqualTo("up");
            fixture.startWorker();
            assertThat(job("server.status").text("state")).isEqualTo("running");
            assertThat(commandOf(job("server.status").number("pid"))).contains("skep-command");
        }
    }

    @Test
    void consent_that_is_withdrawn_ends_a_server_for_good() throws Exception {
        make("sleep 1000", "always");
        ProcessHandle running = ProcessHandle.of(job("server.start").number("pid")).orElseThrow();

        fixture.allows = Consents.USUAL;
        fixture.serverInstances.endWhatIsNotAllowed();
        assertThat(running.onExit().orTimeout(20, TimeUnit.SECONDS).join().isAlive()).isFalse();
        fixture.awaitState(server, "stopped");

        // Nor does it come back with consent: its hub has to ask.
        fixture.allows = Consents.OF_OWN_HUB;
        restart();
        assertThat(fixture.askAs(fixture.hub.url(), "server.status", server).detail())
                .containsEntry("state", "stopped");
    }

    @Test
    void consent_that_is_withdrawn_while_a_server_is_down_keeps_it_from_starting_again()
            throws Exception {
        make("sleep 1000", "always");
        ProcessHandle running = ProcessHandle.of(job("server.start").number("pid")).orElseThrow();
        fixture.allows = Consents.USUAL;
        running.destroyForcibly();
        fixture.awaitState(server, "restarting");
        fixture.awaitState(server, "stopped");
    }

    @Test
    void consent_that_is_withdrawn_while_the_runner_is_away_ends_what_runs_on() throws Exception {
        make("sleep 1000", "always");
        ProcessHandle running = ProcessHandle.of(job("server.start").number("pid")).orElseThrow();
        fixture.allows = Consents.USUAL;
        restart();
        assertThat(running.onExit().orTimeout(20, TimeUnit.SECONDS).join().isAlive()).isFalse();
    }

    private static String commandOf(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
    }

    /** As an earlier runner left it: to be run, and not running. */
    private void stored(String spec) throws IOException {
        Path wanted = Files.createDirectories(folder.resolve("servers/" + server));
        Files.writeString(
                wanted.resolve("wanted.json"), "{\"running\":true,\"spec\":" + spec + "}");
    }

    private void restart() {
        fixture.worker.close();
        fixture.serverInstances.close();
        fixture.startWorker();
    }

    /** Its host says that it runs before its command does. */
    private static void awaitUp(Path pipe) throws IOException {
        try (BufferedReader running = Files.newBufferedReader(pipe)) {
            assertThat(running.readLine()).isEqualTo("up");
        }
    }

    private static Path pipe(Path pipe) throws IOException, InterruptedException {
        Process made = new ProcessBuilder("mkfifo", "-m", "666", pipe.toString()).start();
        assertThat(made.waitFor(5, TimeUnit.SECONDS)).isTrue();
        return pipe;
    }

    /** When its host says that its state began. */
    private Instant since() {
        HubCall.ServerState serverState =
                fixture.serverInstances.states(fixture.hub.url()).get(server);
        return Instant.now().minus(Objects.requireNonNull(serverState).age().orElseThrow());
    }

    private void make(String command, String restart) {
        make(Map.of("command", command, "restart", restart));
    }

    private void make(Map<String, ?> spec) {
        server =
                fixture.hub
                        .post(
                                WorkerFixture.OPERATOR,
                                "/api/orgs/default/servers",
                                Map.of("hostId", "h1", "name", "web", "spec", spec))
                        .fields()
                        .text("id");
    }

    private JsonFields job(String type) throws InterruptedException {
        JsonFields job = fixture.create(Map.of("serverInstanceId", server, "type", type));
        fixture.awaitDone();
        List<JsonFields> runs =
                fixture.hub
                        .get(
                                WorkerFixture.OPERATOR,
                                WorkerFixture.JOBS + "/" + job.text("id") + "/runs")
                        .fields()
                        .list("runs");
        return runs.getFirst().object("result").orElseThrow();
    }
}
