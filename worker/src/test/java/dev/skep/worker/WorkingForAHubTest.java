package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.transport.route.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkingForAHubTest {
    @TempDir Path folder;
    private WorkerFixture fixture;

    @BeforeEach
    void open() {
        fixture = new WorkerFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void a_shell_job_runs_and_its_output_and_status_come_back() throws Exception {
        JsonFields job = fixture.shell("echo out; echo err >&2; echo password hunter2; exit 3");
        FleetEvent.JobRunDone done = fixture.awaitDone();

        assertThat(done.status()).isEqualTo("failed");
        assertThat(fixture.output(done))
                .contains("out\n", "err\n", "[redacted]")
                .doesNotContain("hunter2");
        assertThat(result(job).number("exitStatus")).isEqualTo(3);
    }

    @Test
    void nothing_of_the_runners_environment_reaches_a_job() throws Exception {
        Files.writeString(folder.resolve("allowed-env"), "GIVEN\n");
        fixture.create(
                Map.of(
                        "hostId",
                        "h1",
                        "type",
                        "shell",
                        "payload",
                        Map.of("command", "env", "env", Map.of("GIVEN", "yes"))));
        String printed = fixture.output(fixture.awaitDone());

        assertThat(printed).contains("GIVEN=yes", "PATH=");
        assertThat(printed.lines().map(line -> line.replaceAll("=.*", "")))
                .isSubsetOf(
                        "GIVEN",
                        "PATH",
                        "HOME",
                        "LANG",
                        "LC_ALL",
                        "TERM",
                        "USER",
                        "TZ",
                        "PWD",
                        "SHLVL",
                        "_",
                        "OLDPWD",
                        "SKEP_JOB");
    }

    @Test
    void an_unknown_type_fails_with_a_clear_error() throws Exception {
        JsonFields job = fixture.create(Map.of("hostId", "h1", "type", "knit.sweater"));

        assertThat(fixture.awaitDone().status()).isEqualTo("failed");
        assertThat(result(job).text("error")).contains("knit.sweater");
    }

    @Test
    void cancelling_kills_the_whole_process_group() throws Exception {
        Path pipe = pipe();
        JsonFields job = fixture.shell("(sleep 1000 > %s) & sleep 1000 > %s".formatted(pipe, pipe));
        try (BufferedReader open = Files.newBufferedReader(pipe)) {
            fixture.hub.post(
                    WorkerFixture.OPERATOR,
                    WorkerFixture.JOBS + "/" + job.text("id") + "/cancel",
                    Map.of());
            fixture.worker.beat();

            assertThat(fixture.awaitDone().status()).isEqualTo("cancelled");
            // The pipe ends only when nobody of the group is left to hold it.
            assertThat(open.readLine()).isNull();
        }
    }

    @Test
    void a_job_beyond_its_timeout_is_killed_on_the_host() throws Exception {
        fixture.create(
                Map.of(
                        "hostId",
                        "h1",
                        "type",
                        "shell",
                        "payload",
                        Map.of("command", "sleep 1000"),
                        "timeoutSeconds",
                        1));

        assertThat(fixture.awaitDone().status()).isEqualTo("timed_out");
    }

    private Path pipe() throws IOException, InterruptedException {
        Path pipe = fixture.commands.home().resolve("pipe");
        Process made = new ProcessBuilder("mkfifo", "-m", "666", pipe.toString()).start();
        assertThat(made.waitFor(5, TimeUnit.SECONDS)).isTrue();
        return pipe;
    }

    private JsonFields result(JsonFields job) {
        return fixture.shown(job).object("run").orElseThrow().object("result").orElseThrow();
    }
}
