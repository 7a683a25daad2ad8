package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.runner.jobs.AgentJob;
import dev.skep.runner.jobs.AssignedRun;
import dev.skep.runner.jobs.JobResult;
import dev.skep.transport.route.Json;
import java.nio.file.Path;
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
                    .isEqualTo(JobResult.Status.SUCCEEDED);
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

            assertThat(result.status()).isEqualTo(JobResult.Status.FAILED);
            assertThat(result.detail().get("error")).asString().contains("stopped");
        }
    }

    @Test
    void an_agent_is_started_paused_resumed_and_stopped() throws Exception {
        TestRunner.agent(dir, "alice", SLEEPING);
        PlayedModels models = new PlayedModels().model("m", commands());
        try (TestRunner test = TestRunner.start(dir, models)) {
            for (String type :
                    List.of("agent.start", "agent.pause", "agent.resume", "agent.stop")) {
                assertThat(run(test, type, Map.of("agent", "alice")).status())
                        .as(type)
                        .isEqualTo(JobResult.Status.SUCCEEDED);
            }
            test.recorder.await("alice is STOPPED");
            assertThat(run(test, "agent.start", Map.of("agent", "nobody")).detail().get("error"))
                    .asString()
                    .contains("no agent 'nobody'");
        }
    }

    private static JobResult run(TestRunner test, String type, Map<String, Object> payload)
            throws InterruptedException {
        return new AgentJob(new SteeredAgents(test.runner))
                .run(
                        new AssignedRun(
                                "job",
                                "job-1",
                                type,
                                Json.fields(Json.text(payload)),
                                1,
                                Optional.empty()),
                        (stream, text) -> {});
    }
}
