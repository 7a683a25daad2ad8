package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentStatus;
import dev.skep.runner.loop.LoopControls;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A person cancels what an agent does, or has it pause. */
class HoldingAnAgentTest {
    private static final String PLAIN = "prompt: You are ${agent.username}.\nmodel: m\n";

    @TempDir Path dir;

    @Test
    void a_model_call_can_be_cancelled_and_the_agent_pauses() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        CountDownLatch asked = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request -> {
                                    if (calls.getAndIncrement() == 0) {
                                        asked.countDown();
                                        new CountDownLatch(1).await();
                                    }
                                    return PlayedModels.answer(List.of("session wait"));
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            asked.await();
            LoopControls controls = test.runner.controls("alice").orElseThrow();
            controls.cancel();
            test.recorder.await("alice is PAUSED: cancelled");
            controls.resume();
            test.recorder.await("alice is WAITING");
        }
    }

    @Test
    void a_running_command_can_be_cancelled_and_ends() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels()
                        .model("m", commands(List.of("echo up; sleep 60"), List.of("echo free")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("COMMAND: echo up");
            LoopControls controls = test.runner.controls("alice").orElseThrow();
            controls.cancel();
            test.recorder.await("alice is PAUSED: cancelled");
            controls.resume();
            test.recorder.await("OUTPUT: free");
            assertThat(test.log("alice")).contains("OUTPUT: [cancelled by a person]");
        }
    }

    @Test
    void a_pause_lasts_over_a_restart() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "pause_after_turn: true\n");
        try (TestRunner test =
                TestRunner.start(
                        dir, new PlayedModels().model("m", commands(List.of("echo one"))))) {
            test.recorder.await("alice is PAUSED: pauses after each turn");
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels().model("m", commands()))) {
            test.recorder.await("alice is PAUSED");
            assertThat(test.recorder.seen()).noneMatch(line -> line.startsWith("alice PROMPT"));
            assertThat(test.runner.status(test.runner.agents().getFirst().id()))
                    .isEqualTo(AgentStatus.PAUSED);
        }
    }

    @Test
    void a_waiting_agent_pauses_at_once_and_mail_does_not_wake_it() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels().model("m", _ -> PlayedModels.answer(List.of("session wait")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            test.runner.agentService().pause("alice");
            test.recorder.await("alice is PAUSED");
            test.runner.agentService().mail(test.host.principal(), List.of("alice"), "Hi", "there");
        }
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is PAUSED");
            assertThat(test.recorder.seen()).noneMatch(line -> line.startsWith("alice PROMPT"));
            test.runner.agentService().resume("alice");
            test.recorder.await("alice PROMPT", "New mail");
        }
    }
}
