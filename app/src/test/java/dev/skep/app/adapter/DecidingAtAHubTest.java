package dev.skep.app.adapter;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.agents.session.DecisionLine;
import dev.skep.agents.view.DecidedCommand;
import dev.skep.agents.view.DecidedCommandStore;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.job.JobKind;
import dev.skep.runner.PlayedModels;
import dev.skep.runner.TestRunner;
import dev.skep.runner.approval.Approval;
import dev.skep.transport.route.Json;
import dev.skep.wire.call.ResultStatus;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.JobResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecidingAtAHubTest {
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
    void who_decided_at_a_hub_is_recorded_as_the_hub_tells_it() throws InterruptedException {
        TestRunner.agent(dir, "alice", MANUAL);
        PlayedModels models =
                new PlayedModels().model("m", commands(List.of("expr 1 + 1"), List.of("expr 2")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1 + 1");
            var job = new SteeringJob(test.runner.agentService(), test.host.principal());
            String id = test.runner.agentService().waiting(test.host.principal()).getFirst();
            for (String part : List.of("", id.substring(20), id.substring(0, 8), "latest")) {
                JobResult refused = job.run(decision(part, "operator bob"), (stream, text) -> {});
                assertThat(refused.detail().get("error")).asString().contains("full id");
            }

            JobResult done =
                    job.run(decision(id, "operator bob\n\u001b[2Jroot"), (stream, text) -> {});

            assertThat(done.status()).isEqualTo(ResultStatus.SUCCEEDED);
            test.recorder.await("alice OUTPUT: 2");
            String name = "operator bob??[2Jroot";
            String by = name + " via hub main";
            assertThat(test.log("alice")).contains("DECISION: approved by " + by);
            assertThat(test.runner.stores().approvals().recent(test.host.principal(), 5))
                    .filteredOn(approval -> approval.id().equals(id))
                    .extracting(Approval::decidedBy, Approval::decidedThrough)
                    .containsExactly(tuple(name, "main"));
            assertThat(new DecidedCommandStore(test.database).newest(test.host.principal(), 5))
                    .extracting(
                            DecidedCommand::id, DecidedCommand::command, DecidedCommand::decision)
                    .containsExactly(tuple(id, "expr 1 + 1", new DecisionLine(true, name, "main")));
            assertThat(audited(test))
                    .containsExactly(
                            "%s command_approved by %s from hub main"
                                    .formatted(test.host.principal().label(), by));
        }
    }

    @Test
    void a_hub_may_say_always_by_a_job_of_its_own_and_no_and_why() throws Exception {
        TestRunner.agent(dir, "alice", MANUAL);
        PlayedModels models =
                new PlayedModels()
                        .model("m", commands(List.of("expr 1 + 1"), List.of("expr 2", "expr 3")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            var job = new SteeringJob(test.runner.agentService(), test.host.principal());
            assertThat(job.kinds()).contains(JobKind.AGENT_APPROVE_ALWAYS);
            assertThat(JobKind.AGENT_APPROVE_ALWAYS.consent()).isEqualTo(Consent.AGENTS);

            test.recorder.await("alice is AWAITING_APPROVAL: expr 1 + 1");
            JobResult always =
                    job.run(
                            decided("agent.approve_always", waiting(test), Map.of()),
                            (stream, text) -> {});
            assertThat(always.detail().get("message"))
                    .isEqualTo("approved; the file of alice allows it from now on");
            assertThat(Files.readString(dir.resolve("agents/alice.yaml")))
                    .contains("allow: [\"echo *\", \"expr 1 + 1\"]");

            test.recorder.await("alice is AWAITING_APPROVAL: expr 2");
            job.run(
                    decided("agent.deny", waiting(test), Map.of("reason", "use bc")),
                    (stream, text) -> {});
            test.recorder.await("alice OUTPUT: error: denied by a person: use bc");

            test.recorder.await("alice is AWAITING_APPROVAL: expr 3");
            job.run(decided("agent.deny", waiting(test), Map.of()), (stream, text) -> {});
            assertThat(test.log("alice")).contains("DECISION: denied by operator bob via hub main");
        }
    }

    private static String waiting(TestRunner test) {
        return test.runner.agentService().waiting(test.host.principal()).getFirst();
    }

    private static AssignedRun decision(String approval, String by) {
        return decided("agent.approve", approval, Map.of("by", by));
    }

    private static AssignedRun decided(String type, String approval, Map<String, String> more) {
        Map<String, String> payload =
                new HashMap<>(Map.of("agent", "alice", "approval", approval, "by", "operator bob"));
        payload.putAll(more);
        return new AssignedRun(
                "main", "job", "job-1", type, Json.fields(Json.text(payload)), 1, Optional.empty());
    }

    private static List<String> audited(TestRunner test) {
        return test.database.read(
                db ->
                        db.list(
                                "SELECT actor, action, address, detail FROM audit_log ORDER BY id",
                                row ->
                                        "%s %s by %s from %s"
                                                .formatted(
                                                        row.text("actor"),
                                                        row.text("action"),
                                                        Json.fields(row.text("detail")).text("by"),
                                                        row.text("address"))));
    }
}
