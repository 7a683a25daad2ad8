package dev.skep.app.adapter;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.runner.PlayedModels;
import dev.skep.runner.RunnerConfig;
import dev.skep.runner.TestRunner;
import dev.skep.transport.route.Json;
import dev.skep.wire.call.ResultStatus;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.HostJobs;
import dev.skep.worker.JobResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobsForAgentsTest {
    private static final String SLEEPING = "prompt: p\nmodel: m\nauto_start: false\n";

    @TempDir Path dir;

    @Test
    void an_agent_that_does_nothing_is_started_for_a_task_and_its_note_is_the_result()
            throws Exception {
        TestRunner.agent(dir, "alice", SLEEPING);
        PlayedModels models =
                new PlayedModels().model("m", commands(List.of("session complete 'all 7 pass'")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            JobResult result = run(test, "agent.task", Map.of("agent", "alice", "task", "test it"));

            assertThat(result).isEqualTo(JobResult.succeeded(Map.of("message", "all 7 pass")));
            assertThat(PlayedModels.sight(models.requests.getFirst())).contains("test it");
        }
    }

    @Test
    void an_agent_that_waits_is_told_its_task() throws Exception {
        TestRunner.agent(dir, "alice", "prompt: p\nmodel: m\n");
        PlayedModels models =
                new PlayedModels()
                        .model("m", commands(List.of("session wait"), List.of("session complete")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");

            assertThat(run(test, "agent.task", Map.of("agent", "alice", "task", "go")).status())
                    .isEqualTo(ResultStatus.SUCCEEDED);
        }
    }

    @Test
    void a_task_of_an_agent_that_somebody_stops_fails_with_the_reason() throws Exception {
        TestRunner.agent(dir, "alice", SLEEPING);
        PlayedModels models = new PlayedModels().model("m", commands());
        try (TestRunner test = TestRunner.start(dir, models)) {
            Thread stopper =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            test.recorder.await("alice is WAITING");
                                            run(test, "agent.stop", Map.of("agent", "alice"));
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            JobResult result = run(test, "agent.task", Map.of("agent", "alice", "task", "go"));
            stopper.join();

            assertThat(result.status()).isEqualTo(ResultStatus.FAILED);
            assertThat(result.detail().get("error")).asString().contains("stopped");
        }
    }

    @Test
    void an_agent_is_started_paused_resumed_cancelled_and_stopped() throws Exception {
        TestRunner.agent(dir, "alice", SLEEPING);
        PlayedModels models = new PlayedModels().model("m", commands());
        try (TestRunner test = TestRunner.start(dir, models)) {
            for (String type :
                    List.of(
                            "agent.start",
                            "agent.pause",
                            "agent.resume",
                            "agent.cancel",
                            "agent.stop")) {
                assertThat(run(test, type, Map.of("agent", "alice")).status())
                        .as(type)
                        .isEqualTo(ResultStatus.SUCCEEDED);
            }
            test.recorder.await("alice is STOPPED");
            assertThat(run(test, "agent.start", Map.of("agent", "nobody")).detail().get("error"))
                    .asString()
                    .contains("no agent 'nobody'");
        }
    }

    @Test
    void an_agent_called_jobs_has_another_folder_than_jobs() {
        RunnerConfig config = new RunnerConfig(dir, Map.of(), null, Duration.ZERO);
        assertThat(config.workFolder("jobs")).isNotEqualTo(HostJobs.home(dir));
        assertThat(config.workFolder("jobs")).isNotEqualTo(dir.resolve("work/jobs"));
        assertThat(config.workFolder("alice")).isEqualTo(dir.resolve("work/alice"));
        assertThat(HostJobs.home(dir).getFileName().toString()).startsWith(".");
    }

    @Test
    void a_task_without_a_time_limit_has_one_and_steering_has_none() throws Exception {
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            AgentJob jobs = new AgentJob(test.runner, test.host.principal());
            assertThat(jobs.timeLimit(assigned("agent.task", Optional.empty())))
                    .contains(Duration.ofHours(1));
            assertThat(jobs.timeLimit(assigned("agent.task", Optional.of(Duration.ofDays(2)))))
                    .contains(Duration.ofDays(2));
            assertThat(jobs.timeLimit(assigned("agent.pause", Optional.empty()))).isEmpty();
        }
    }

    private static AssignedRun assigned(String type, Optional<Duration> limit) {
        return new AssignedRun("hub", "job", "job-1", type, Json.fields("{}"), 1, limit);
    }

    private static JobResult run(TestRunner test, String type, Map<String, Object> payload)
            throws InterruptedException {
        return new AgentJob(test.runner, test.host.principal())
                .run(
                        new AssignedRun(
                                "hub",
                                "job",
                                "job-1",
                                type,
                                Json.fields(Json.text(payload)),
                                1,
                                Optional.empty()),
                        (stream, text) -> {});
    }
}
