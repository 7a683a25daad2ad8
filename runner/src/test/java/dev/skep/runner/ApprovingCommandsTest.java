package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.runner.approval.Approval;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApprovingCommandsTest {
    private static final String MANUAL =
            """
            prompt: x
            model: m
            protection: manual
            allow: ["echo *"]
            deny: ["rm *"]
            """;

    @TempDir Path dir;

    @Test
    void lists_decide_and_the_rest_waits_for_a_person() throws InterruptedException {
        TestRunner.agent(dir, "alice", MANUAL);
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of(
                                                "echo free",
                                                "rm -rf x",
                                                "echo sure; rm y",
                                                "expr 1 + 1"),
                                        List.of("expr 2 + 2")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1 + 1");
            assertThat(test.log("alice"))
                    .contains(
                            "OUTPUT: free",
                            "OUTPUT: error: denied: commands like 'rm *' never run here");
            Desk desk = test.runner.desk();
            assertThat(desk.decide(test.host.principal(), "", true))
                    .isInstanceOf(Outcome.Done.class);
            test.recorder.await("alice OUTPUT: 2");
            test.recorder.await("alice is AWAITING_APPROVAL: expr 2 + 2");
            desk.decide(test.host.principal(), "", false);
            test.recorder.await("alice OUTPUT: error: denied by a person");
        }
    }

    @Test
    void what_nobody_approves_in_time_is_denied() throws InterruptedException {
        TestRunner.agent(dir, "alice", MANUAL + "approval_timeout: 200ms\n");
        PlayedModels models = new PlayedModels().model("m", commands(List.of("expr 1 + 1")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice OUTPUT: error: denied: nobody approved it in time");
            assertThat(test.runner.stores().approvals().recent(test.host.principal(), 5))
                    .extracting(Approval::decision, Approval::decidedBy)
                    .containsExactly(tuple(Approval.Decision.DENIED, "timeout"));
        }
    }

    @Test
    void an_approval_waits_on_over_a_restart() throws InterruptedException {
        TestRunner.agent(dir, "alice", MANUAL);
        String id;
        try (TestRunner test =
                TestRunner.start(
                        dir, new PlayedModels().model("m", commands(List.of("expr 40 + 2"))))) {
            test.recorder.await("alice is AWAITING_APPROVAL");
            id = test.runner.stores().approvals().pending(test.host.principal()).getFirst().id();
        }
        try (TestRunner test =
                TestRunner.start(dir, new PlayedModels().model("m", commands(List.of("?"))))) {
            test.recorder.await("alice is AWAITING_APPROVAL: expr 40 + 2");
            assertThat(test.runner.approvals().decide(test.host.principal(), id, true)).isTrue();
            test.recorder.await("alice OUTPUT: 42");
        }
    }
}
