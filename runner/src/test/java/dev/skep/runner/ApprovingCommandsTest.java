package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.agents.session.DecisionLine;
import dev.skep.agents.view.DecidedCommand;
import dev.skep.agents.view.DecidedCommandStore;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.ApprovalLookup;
import dev.skep.runner.approval.Decider;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.transport.route.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
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
            assertThat(decide(test, true)).isInstanceOf(ActionResult.Done.class);
            test.recorder.await("alice OUTPUT: 2");
            test.recorder.await("alice is AWAITING_APPROVAL: expr 2 + 2");
            decide(test, false);
            test.recorder.await("alice OUTPUT: error: denied by a person");
            assertThat(test.log("alice"))
                    .contains(
                            "DECISION: approved by the command line",
                            "DECISION: denied by the command line");
            assertThat(new DecidedCommandStore(test.database).newest(test.host.principal(), 5))
                    .extracting(DecidedCommand::command, each -> each.decision().text())
                    .containsExactly(
                            tuple("expr 2 + 2", "denied by the command line"),
                            tuple("expr 1 + 1", "approved by the command line"));
            assertThat(audited(test))
                    .containsExactly(
                            "local command_approved by the command line from local",
                            "local command_denied by the command line from local");
        }
    }

    @Test
    void why_a_person_denies_a_command_is_told_to_the_agent() throws InterruptedException {
        TestRunner.agent(dir, "alice", MANUAL);
        PlayedModels models = new PlayedModels().model("m", commands(List.of("expr 1 + 1")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1 + 1");
            decide(test, ApprovalChoice.DENY, "use bc\u001b[2J\n" + "x".repeat(2_000));
            test.recorder.await("alice OUTPUT: error: denied by a person: use bc [2J");
            assertThat(test.runner.stores().approvals().recent(test.host.principal(), 5))
                    .extracting(Approval::reason)
                    .singleElement()
                    .satisfies(reason -> assertThat(reason).startsWith("use bc").hasSize(1_000));
            assertThat(new DecidedCommandStore(test.database).newest(test.host.principal(), 5))
                    .extracting(each -> each.decision().reason())
                    .singleElement()
                    .satisfies(reason -> assertThat(reason).startsWith("use bc"));
        }
    }

    @Test
    void a_yes_for_always_is_in_the_agents_file_and_holds_at_once_for_this_command_only()
            throws Exception {
        TestRunner.agent(dir, "alice", MANUAL + "# the end\n");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of("expr 1 + 1 > out && cat out"),
                                        List.of("expr 1 + 1 > out && cat out"),
                                        List.of("expr 1 + 1 > other")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1 + 1 > out && cat out");
            assertThat(decide(test, ApprovalChoice.ALWAYS, null))
                    .isEqualTo(
                            new ActionResult.Done(
                                    "approved; the file of alice allows it from now on"));
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1 + 1 > other");
            assertThat(test.log("alice"))
                    .filteredOn(line -> line.startsWith("OUTPUT: 2"))
                    .hasSize(2);
            assertThat(test.log("alice"))
                    .filteredOn(line -> line.startsWith("DECISION"))
                    .hasSize(1);
            assertThat(Files.readString(dir.resolve("agents/alice.yaml")))
                    .isEqualTo(
                            MANUAL.replace(
                                            "[\"echo *\"]",
                                            "[\"echo *\", \"expr 1 + 1 > out && cat out\"]")
                                    + "# the end\n");
            assertThat(test.runner.agents().getFirst().config())
                    .contains("\"expr 1 + 1 > out && cat out\"");
            assertThat(audited(test, "allows")).containsExactly("expr 1 + 1 > out && cat out");
        }
    }

    @Test
    void a_yes_for_always_that_cannot_be_written_is_no_yes_at_all() throws Exception {
        TestRunner.agent(dir, "alice", MANUAL);
        PlayedModels models =
                new PlayedModels().model("m", commands(List.of("ls *.txt"), List.of("expr 1")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is AWAITING_APPROVAL: ls *.txt");
            assertThat(decide(test, ApprovalChoice.ALWAYS, null).message())
                    .contains("'*' means anything");
            assertThat(test.runner.stores().approvals().pending(test.host.principal())).hasSize(1);
            decide(test, false);
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1");

            Path file = dir.resolve("agents/alice.yaml");
            Files.writeString(file, "prompt: x\nmodel: m\nalow: []\n");
            assertThat(decide(test, ApprovalChoice.ALWAYS, null).message())
                    .contains("skep agents check");
            assertThat(test.runner.stores().approvals().pending(test.host.principal())).hasSize(1);
            assertThat(file).hasContent("prompt: x\nmodel: m\nalow: []\n");
        }
    }

    private static Actor here(TestRunner test) {
        return Actor.local(test.host.org());
    }

    /** As a person at the terminal does, who names the only one by nothing. */
    private static ActionResult decide(TestRunner test, boolean approve) {
        return decide(test, approve ? ApprovalChoice.ONCE : ApprovalChoice.DENY, null);
    }

    private static ActionResult decide(
            TestRunner test, ApprovalChoice choice, @Nullable String reason) {
        AgentService agentService = test.runner.agentService();
        return agentService.decide(
                Decider.here(here(test)),
                ApprovalLookup.matching(agentService.waiting(test.host.principal()), ""),
                choice,
                reason);
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

    private static List<String> audited(TestRunner test, String detail) {
        return test.database.read(
                db ->
                        db.list(
                                "SELECT detail FROM audit_log ORDER BY id",
                                row -> Json.fields(row.text("detail")).shown(detail)));
    }

    @Test
    void a_part_of_an_id_means_the_one_command_it_fits() {
        String first = "01JC0000000000000000000001";
        String second = "01JC0000000000000000000012";
        List<String> both = List.of(first, second);
        assertThat(ApprovalLookup.matching(both, "0001").value()).isEqualTo(first);
        assertThat(ApprovalLookup.matching(both, "12").value()).isEqualTo(second);
        assertThat(ApprovalLookup.matching(both, second.toLowerCase(Locale.ROOT)).value())
                .isEqualTo(second);
        assertThatThrownBy(() -> ApprovalLookup.matching(both, "01JC"))
                .hasMessageContaining("2 commands wait");
        assertThatThrownBy(() -> ApprovalLookup.matching(both, ""))
                .hasMessageContaining("2 commands");
        assertThatThrownBy(() -> ApprovalLookup.matching(both, "9"))
                .hasMessageContaining("under '9'");
        assertThatThrownBy(() -> ApprovalLookup.matching(List.of(), ""))
                .hasMessage("no command waits for approval");
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
            assertThat(new DecidedCommandStore(test.database).newest(test.host.principal(), 5))
                    .extracting(DecidedCommand::command, DecidedCommand::decision)
                    .containsExactly(tuple("expr 1 + 1", new DecisionLine(false, null, null)));
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
            assertThat(
                            test.runner
                                    .approvalService()
                                    .decide(
                                            Decider.here(here(test)),
                                            new ApprovalId(id),
                                            ApprovalChoice.ONCE,
                                            null))
                    .isTrue();
            test.recorder.await("alice OUTPUT: 42");
        }
    }

    @Test
    void a_command_that_was_changed_in_the_log_is_not_run_under_the_old_ones_approval()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", MANUAL);
        String id;
        try (TestRunner test =
                TestRunner.start(
                        dir, new PlayedModels().model("m", commands(List.of("expr 40 + 2"))))) {
            test.recorder.await("alice is AWAITING_APPROVAL");
            id = test.runner.stores().approvals().pending(test.host.principal()).getFirst().id();
        }
        changeTheLog(id, "touch '%s'".formatted(dir.resolve("taken")));
        try (TestRunner test =
                TestRunner.start(dir, new PlayedModels().model("m", commands(List.of("?"))))) {
            test.recorder.await("alice OUTPUT: error: not run: this is not the command");
            assertThat(
                            test.runner
                                    .approvalService()
                                    .decide(
                                            Decider.here(here(test)),
                                            new ApprovalId(id),
                                            ApprovalChoice.ONCE,
                                            null))
                    .isFalse();
            assertThat(test.log("alice")).contains("DECISION: denied: nobody decided in time");
            assertThat(dir.resolve("taken")).doesNotExist();
        }
    }

    /** As a hub does by a row that it gives back at a heal. */
    private void changeTheLog(String id, String command) {
        try (Database database =
                Databases.open(
                        new DatabaseUrl.Sqlite(dir.resolve("runner.db")), TestRunner.CLOCK)) {
            database.write(
                    transaction ->
                            transaction.update(
                                    "UPDATE context_log SET message = ? WHERE id = ?",
                                    command,
                                    id));
        }
    }
}
