package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a runtime can do wrong, one fault a test; a healthy agent beside it never notices. */
class FaultyRuntimesTest {
    @TempDir Path dir;

    private TestRunner with(String prompt, String... faults) {
        ManagedFixture.runtime(dir, "fixture", faults);
        ManagedFixture.runtime(dir, "healthy");
        ManagedFixture.agent(dir, "dora", prompt, "");
        TestRunner.agent(dir, "well", "runtime: healthy\nprompt: |\n  Hi.\n  !say fine\n");
        return TestRunner.start(dir, new PlayedModels());
    }

    private static void isWell(TestRunner test) throws InterruptedException {
        test.recorder.await("well REPLY: fine");
        test.recorder.await("well is WAITING");
        ManagedFixture.talk(test, "well", "!say still fine");
        test.recorder.await("well REPLY: still fine");
    }

    @Test
    void a_program_that_is_missing_fails_with_its_name() throws InterruptedException {
        ManagedFixture.command(dir, "fixture", "/no/such/program");
        ManagedFixture.agent(dir, "dora", "Hi.", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is FAILED", "/no/such/program");
        }
    }

    @Test
    void another_version_of_the_protocol_fails_with_both() throws InterruptedException {
        try (TestRunner test = with("Hi.", "version=7")) {
            test.recorder.await("dora is FAILED", "version 7");
            isWell(test);
        }
    }

    @Test
    void a_program_that_dies_at_once_fails_after_three_tries_with_its_last_words()
            throws InterruptedException {
        try (TestRunner test = with("Hi.", "crash=start")) {
            test.recorder.await("dora is BACKING_OFF", "fixture ended");
            test.recorder.await("dora is FAILED", "it said: ");
            isWell(test);
        }
    }

    @Test
    void a_program_that_dies_in_the_middle_of_a_tool_is_started_again_and_told()
            throws InterruptedException {
        try (TestRunner test = with("Hi.\n!say begun\n!crash-in-tool")) {
            test.recorder.await("dora TURN_END: the turn ended with its runtime");
            test.recorder.await("dora PROMPT", "Your last turn was cut");
            test.recorder.await("dora REPLY: heard: ");
            assertThat(test.log("dora")).containsOnlyOnce("TOOL_CALL: make all");
            assertThat(ManagedFixture.toolStatuses(test, "dora")).containsExactly("unknown");
            isWell(test);
        }
    }

    @Test
    void a_program_that_dies_while_it_asks_leaves_no_question() throws InterruptedException {
        ManagedFixture.runtime(dir, "fixture");
        ManagedFixture.agent(dir, "dora", "Hi.\n!crash-in-permission", "protection: manual\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora PROMPT", "Your last turn was cut");
            test.recorder.await("dora is WAITING");
            assertThat(test.runner.stores().approvals().pending(test.host.principal())).isEmpty();
        }
    }

    @Test
    void lines_that_are_no_messages_are_passed_over() throws InterruptedException {
        try (TestRunner test = with("Hi.\n!garbage 20\n!say here", "garbage=20")) {
            test.recorder.await("dora REPLY: here");
        }
    }

    @Test
    void nothing_but_garbage_ends_it() throws InterruptedException {
        try (TestRunner test = with("Hi.\n!garbage 5000\n!say here")) {
            test.recorder.await("dora TURN_END: the turn ended with its runtime");
            isWell(test);
        }
    }

    @Test
    void endless_output_ends_it_before_the_disk_is_full() throws InterruptedException {
        try (TestRunner test = with("Hi.\n!flood")) {
            test.recorder.await("dora is FAILED", "more than 64 MB in one turn");
            Eventually.holds(
                    "its process is gone",
                    () -> ManagedFixture.processes(dir.resolve("work/dora")).isEmpty());
            isWell(test);
        }
    }

    @Test
    void endless_output_before_the_first_answer_ends_it() throws InterruptedException {
        try (TestRunner test = with("Hi.", "flood=start")) {
            test.recorder.await("dora is FAILED", "before it was asked anything");
            isWell(test);
        }
    }

    @Test
    void an_error_instead_of_an_answer_is_told_and_tried_again() throws InterruptedException {
        try (TestRunner test = with("Hi.\n!error -32603 the model is away")) {
            test.recorder.await("dora TURN_END: the turn failed", "the model is away");
            test.recorder.await("dora is BACKING_OFF", "the model is away");
            test.recorder.await("dora PROMPT", "Your last turn was cut");
            test.recorder.await("dora is WAITING");
        }
    }

    @Test
    void one_that_wants_a_sign_in_says_how() throws InterruptedException {
        try (TestRunner test = with("Hi.", "sign-in")) {
            test.recorder.await("dora is FAILED", "skep runtimes login fixture --agent dora");
        }
    }

    @Test
    void requests_that_are_not_known_are_answered_and_change_nothing() throws InterruptedException {
        try (TestRunner test = with("Hi.\n!request fs/read_text_file\n!notify x/y\n!say here")) {
            test.recorder.await("dora REPLY", "-32601", "here");
        }
    }

    @Test
    void a_turn_that_ignores_its_cancelling_ends_with_its_process() throws InterruptedException {
        try (TestRunner test = with("Hi.\n!say begun\n!tool read x\n!silent")) {
            test.recorder.await("dora TOOL_RESULT");
            ManagedFixture.controls(test, "dora").cancel();
            test.recorder.await("dora TURN_END: the turn was cancelled: fixture did not obey");
            test.recorder.await("dora is PAUSED: cancelled");
        }
    }

    @Test
    void one_that_cannot_load_its_session_begins_anew_and_is_told_what_was()
            throws InterruptedException {
        ManagedFixture.runtime(dir, "fixture", "no-load", "no-resume");
        ManagedFixture.agent(dir, "dora", "Hi.\n!say the plan is blue", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            ManagedFixture.talk(test, "dora", "!say more");
            test.recorder.await(
                    "dora PROMPT", "does not remember the session", "You: the plan is blue");
        }
    }

    @Test
    void one_whose_session_cannot_be_loaded_after_all_says_so() throws InterruptedException {
        ManagedFixture.runtime(dir, "fixture", "no-resume", "refuse=session/load");
        ManagedFixture.agent(dir, "dora", "Hi.\n!say the plan is blue", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            ManagedFixture.talk(test, "dora", "!say more");
            test.recorder.await("dora NOTICE: fixture could not go on with its session");
            test.recorder.await("dora PROMPT", "does not remember the session");
        }
    }
}
