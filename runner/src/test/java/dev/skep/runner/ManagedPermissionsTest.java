package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A runtime asks whether it may use a tool. */
class ManagedPermissionsTest {
    private static final String MANUAL = "protection: manual\n";

    @TempDir Path dir;

    @BeforeEach
    void a_runtime() {
        ManagedFixture.runtime(dir, "fixture");
    }

    private static Approval pending(TestRunner test) {
        return test.runner.stores().approvals().pending(test.host.principal()).getFirst();
    }

    private static void decide(TestRunner test, ApprovalChoice choice, @Nullable String reason) {
        assertThat(
                        test.runner
                                .approvalService()
                                .decide(
                                        Decider.here(Actor.local(test.host.org())),
                                        new ApprovalId(pending(test).id()),
                                        choice,
                                        reason))
                .isTrue();
    }

    @Test
    void a_person_sees_the_diff_and_says_yes_once() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!ask write a.txt hello\n!say over", MANUAL);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is AWAITING_APPROVAL: a.txt");
            Approval approval = pending(test);
            JsonFields detail = Json.fields(String.valueOf(approval.detail()));
            assertThat(detail.text("title")).isEqualTo("Write a.txt");
            assertThat(detail.text("kind")).isEqualTo("edit");
            assertThat(detail.list("diff").getFirst().text("newText")).isEqualTo("hello");
            assertThat(detail.textList("options")).contains("allow_always", "reject_once");
            assertThat(ManagedFixture.entries(test, "dora"))
                    .filteredOn(entry -> entry.type() == LogEntry.Type.TOOL_CALL)
                    .extracting(LogEntry::id)
                    .as("the approval is about the line of the call")
                    .containsExactly(approval.id());
            decide(test, ApprovalChoice.ONCE, null);
            test.recorder.await("dora TURN_END");
            assertThat(test.log("dora"))
                    .containsSubsequence(
                            "TOOL_CALL: Write a.txt",
                            "DECISION: approved by the command line",
                            "TURN_END: the turn is over");
            assertThat(dir.resolve("work/dora/a.txt")).hasContent("hello");
        }
    }

    @Test
    void a_no_is_told_with_its_reason_in_the_next_prompt() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!ask-bare run touch made\n!say over", MANUAL);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is AWAITING_APPROVAL: touch made");
            decide(test, ApprovalChoice.DENY, "not on a Friday");
            test.recorder.await("dora is WAITING");
            ManagedFixture.talk(test, "dora", "!say more");
            test.recorder.await("dora PROMPT", "'touch made': denied by a person: not on a Friday");
            assertThat(dir.resolve("work/dora/made")).doesNotExist();
            assertThat(test.log("dora"))
                    .anySatisfy(
                            line -> assertThat(line).startsWith("TOOL_RESULT: not allowed: no#1"));
        }
    }

    @Test
    void what_nobody_decides_in_time_is_rejected() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!ask run touch made\n!say over",
                MANUAL + "approval_timeout: 200ms\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora REPLY: over");
            assertThat(test.log("dora")).contains("DECISION: denied: nobody decided in time");
            assertThat(dir.resolve("work/dora/made")).doesNotExist();
        }
    }

    @Test
    void lists_decide_before_anybody_is_asked() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                """
                Hi.
                !ask run echo free
                !ask write docs/../docs/a.txt text
                !ask run rm -rf x
                !ask write src/secret.txt text
                !say over""",
                MANUAL + "allow: ['echo *', 'docs/*']\ndeny: ['rm *', 'src/*']\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            Files.createDirectories(dir.resolve("work/dora/docs"));
            test.recorder.await("dora REPLY: over");
            assertThat(test.log("dora"))
                    .contains(
                            "NOTICE: denied: 'rm *' never runs here, says deny",
                            "NOTICE: denied: 'src/*' never runs here, says deny");
            assertThat(test.log("dora"))
                    .noneSatisfy(line -> assertThat(line).startsWith("DECISION"));
            assertThat(dir.resolve("work/dora/docs/a.txt")).hasContent("text");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void a_path_that_leads_out_of_an_allowed_folder_is_asked_for() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!ask write docs/../b.txt text\n!say over",
                MANUAL + "allow: ['docs/*']\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is AWAITING_APPROVAL: b.txt");
            decide(test, ApprovalChoice.DENY, null);
            test.recorder.await("dora REPLY: over");
        }
    }

    @Test
    void without_protection_nobody_is_asked_but_deny_holds() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!ask run touch made\n!ask run rm made\n!say over",
                "deny: ['rm *']\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora REPLY: over");
            assertThat(dir.resolve("work/dora/made")).exists();
        }
    }

    @Test
    void a_yes_for_always_holds_for_the_next_of_the_same() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!ask run echo $(date)\n!ask run echo $(date)\n!say over",
                MANUAL);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is AWAITING_APPROVAL: echo $(date)");
            ActionResult decided =
                    test.runner
                            .agentService()
                            .decide(
                                    Decider.here(Actor.local(test.host.org())),
                                    new ApprovalId(pending(test).id()),
                                    ApprovalChoice.ALWAYS,
                                    null);
            assertThat(decided).isInstanceOf(ActionResult.Done.class);
            test.recorder.await("dora REPLY: over");
            assertThat(test.log("dora").stream().filter(line -> line.startsWith("DECISION")))
                    .hasSize(1);
        }
    }

    @Test
    void cancelling_the_turn_withdraws_the_question() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!ask run touch made\n!say never", MANUAL);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is AWAITING_APPROVAL");
            String id = pending(test).id();
            ManagedFixture.controls(test, "dora").cancel();
            test.recorder.await("dora is PAUSED: cancelled");
            assertThat(test.runner.stores().approvals().pending(test.host.principal())).isEmpty();
            assertThat(test.runner.stores().approvals().find(test.host.principal(), id))
                    .hasValueSatisfying(
                            approval -> {
                                assertThat(approval.decision()).isEqualTo(Approval.Decision.DENIED);
                                assertThat(approval.reason()).isEqualTo("the turn ended");
                            });
            assertThat(dir.resolve("work/dora/made")).doesNotExist();
        }
    }
}
