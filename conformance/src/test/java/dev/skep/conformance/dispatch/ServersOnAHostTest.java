package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.skep.runner.jobs.DispatchLink;
import dev.skep.transport.route.Fields;
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
    void close() throws InterruptedException {
        // Whatever the test left running must not outlive it.
        job("server.stop");
        fixture.close();
    }

    @Test
    void a_server_starts_logs_restarts_and_stops() throws Exception {
        make("bash -c 'echo ready; sleep 1000'", "never");
        Fields started = job("server.start");
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
        make("bash -c 'echo run >> runs.txt; sleep 1000'", "always");
        long pid = job("server.start").number("pid");
        Instant started = ProcessHandle.of(pid).orElseThrow().info().startInstant().orElseThrow();
        // As kill -9 would leave it: nothing is told to the servers.
        fixture.worker.close();
        fixture.servers.close();
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
        fixture.servers.close();
        ProcessHandle gone = ProcessHandle.of(pid).orElseThrow();
        gone.destroyForcibly();
        gone.onExit().orTimeout(5, TimeUnit.SECONDS).join();
        fixture.startWorker();

        Fields status = job("server.status");
        assertThat(status.text("state")).isEqualTo("running");
        assertThat(status.number("pid")).isNotEqualTo(pid);
    }

    /** When its host says that its state began. */
    private Instant since() {
        DispatchLink.ServerNow now = fixture.servers.states().get(server);
        return Instant.now().minus(Objects.requireNonNull(now).age());
    }

    private void make(String command, String restart) {
        make(Map.of("command", command, "restart", restart));
    }

    private void make(Map<String, String> spec) {
        server =
                fixture.hub
                        .post(
                                WorkerFixture.OPERATOR,
                                "/api/orgs/default/servers",
                                Map.of("hostId", "h1", "name", "web", "spec", spec))
                        .fields()
                        .text("id");
    }

    private Fields job(String type) throws InterruptedException {
        Fields job = fixture.create(Map.of("serverInstanceId", server, "type", type));
        fixture.awaitDone();
        List<Fields> runs =
                fixture.hub
                        .get(
                                WorkerFixture.OPERATOR,
                                WorkerFixture.JOBS + "/" + job.text("id") + "/runs")
                        .fields()
                        .list("runs");
        return runs.getFirst().object("result").orElseThrow();
    }
}
