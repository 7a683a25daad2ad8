package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.shell.MarkedProcesses;
import dev.skep.testkit.Killable;
import dev.skep.transport.route.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A runner's process is killed without warning while it works. Takes longest, so it comes first.
 */
@Order(1)
class RunnerThatDiesTest {
    /** Short, and still longer than it takes to kill the runner. */
    private static final QueueSettings LEASES =
            new QueueSettings(Duration.ofSeconds(5), Duration.ofSeconds(5));

    /** Holds a lock as long as anything of it runs; says so when another run holds it. */
    private static final String JOB =
            """
            exec 8> lock
            flock -n 8 || echo beside >> beside.txt
            echo run >> runs.txt
            [ "$(wc -l < runs.txt)" -gt 1 ] && exit 0
            setsid nohup sleep 1000 > nohup.txt 2>&1 &
            (trap '' TERM HUP INT; exec sleep 1001) &
            echo up > up
            sleep 1002
            """;

    @TempDir Path folder;
    private final BlockingQueue<FleetEvent.JobRunDone> done = new LinkedBlockingQueue<>();
    private Path home = Path.of("");
    private Path up = home;
    private DispatchTestHub hub;
    private Killable runner;

    @BeforeEach
    void open() throws Exception {
        home = Files.createDirectory(folder.resolve("home"));
        up = pipe(home.resolve("up"));
        hub = new DispatchTestHub(folder, 0, Optional.empty(), LEASES);
        hub.eventBus.subscribe(
                event -> {
                    if (event instanceof FleetEvent.JobRunDone d) {
                        done.add(d);
                    }
                });
        hub.beat("h1");
        runner =
                new Killable(
                        KillableNode.class, _ -> {}, "runner", folder.toString(), hub.url(), "h1");
    }

    @AfterEach
    void close() {
        runner.close();
        hub.close();
    }

    @Test
    void nothing_of_a_job_outlives_its_runner_and_its_retry_runs_alone() throws Exception {
        create(Map.of("hostId", "h1", "type", "shell", "payload", Map.of("command", JOB)));
        try (BufferedReader running = Files.newBufferedReader(up)) {
            assertThat(running.readLine()).isEqualTo("up");
        }
        List<ProcessHandle> ofTheJob =
                MarkedProcesses.with(variable -> variable.startsWith("SKEP_JOB=" + home + ":"));
        assertThat(ofTheJob).hasSizeGreaterThan(3);

        runner.kill();
        CompletableFuture.allOf(
                        ofTheJob.stream()
                                .map(ProcessHandle::onExit)
                                .toArray(CompletableFuture[]::new))
                .get(5, TimeUnit.SECONDS);

        runner.start();
        assertThat(awaitSuccess()).isNotNull();
        assertThat(home.resolve("runs.txt")).hasContent("run\nrun\n");
        assertThat(home.resolve("beside.txt")).doesNotExist();
    }

    @Test
    void a_server_outlives_its_runner_and_the_next_one_takes_it_over() throws Exception {
        JsonFields server =
                hub.post(
                                WorkerFixture.OPERATOR,
                                "/api/orgs/default/servers",
                                Map.of(
                                        "hostId",
                                        "h1",
                                        "name",
                                        "web",
                                        "spec",
                                        Map.of("command", "echo run >> runs.txt; sleep 1000")))
                        .fields();
        long pid = steer(server, "server.start").number("pid");
        try {
            runner.killAndStart();
            assertThat(steer(server, "server.status").number("pid")).isEqualTo(pid);
            assertThat(steer(server, "server.start").number("pid")).isEqualTo(pid);
            steer(server, "server.stop");
            assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
            assertThat(folder.resolve("home/runs.txt")).hasContent("run\n");
        } finally {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private JsonFields create(Map<String, ?> job) {
        return hub.post(WorkerFixture.OPERATOR, WorkerFixture.JOBS, job).fields();
    }

    private JsonFields steer(JsonFields server, String type) throws InterruptedException {
        JsonFields job = create(Map.of("serverInstanceId", server.text("id"), "type", type));
        awaitSuccess();
        return hub.get(WorkerFixture.OPERATOR, WorkerFixture.JOBS + "/" + job.text("id"))
                .fields()
                .object("run")
                .orElseThrow()
                .object("result")
                .orElseThrow();
    }

    /** Attempts that were lost end too. */
    private FleetEvent.JobRunDone awaitSuccess() throws InterruptedException {
        while (true) {
            FleetEvent.JobRunDone event = done.poll(40, TimeUnit.SECONDS);
            if (event == null || event.status().equals("failed")) {
                throw new IllegalStateException("no run succeeded in time: " + event);
            }
            if (event.status().equals("succeeded")) {
                return event;
            }
        }
    }

    private static Path pipe(Path pipe) throws IOException, InterruptedException {
        Process made = new ProcessBuilder("mkfifo", "-m", "666", pipe.toString()).start();
        assertThat(made.waitFor(5, TimeUnit.SECONDS)).isTrue();
        return pipe;
    }
}
