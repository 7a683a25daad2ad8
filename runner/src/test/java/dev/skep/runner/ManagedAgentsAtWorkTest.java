package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentStatus;
import dev.skep.agents.session.LogEntry;
import dev.skep.runner.loop.LoopControls;
import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Turns of agents whose runtime is another program. */
class ManagedAgentsAtWorkTest {
    @TempDir Path dir;

    @BeforeEach
    void a_runtime() {
        ManagedFixture.runtime(dir, "fixture");
    }

    @Test
    void a_turn_is_a_prompt_what_its_runtime_says_and_an_end() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                """
                Hello.
                !think hm
                !pieces 3 1 one two three
                !tool read a.txt
                !diff b.txt old => new
                !plan look | write
                !plan look | write
                !usage 10 5
                !say done""",
                "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            List<LogEntry> log = ManagedFixture.entries(test, "dora");
            assertThat(log)
                    .extracting(LogEntry::type)
                    .containsExactly(
                            LogEntry.Type.INSTRUCTIONS,
                            LogEntry.Type.PROMPT,
                            LogEntry.Type.THOUGHT,
                            LogEntry.Type.REPLY,
                            LogEntry.Type.TOOL_CALL,
                            LogEntry.Type.TOOL_RESULT,
                            LogEntry.Type.TOOL_CALL,
                            LogEntry.Type.TOOL_RESULT,
                            LogEntry.Type.PLAN,
                            LogEntry.Type.REPLY,
                            LogEntry.Type.TURN_END);
            assertThat(log.get(3).message()).isEqualTo("one two three");
            assertThat(detail(log.get(1)).textList("wake")).containsExactly("start");
            assertThat(detail(log.get(4)).text("kind")).isEqualTo("read");
            assertThat(detail(log.get(4)).text("toolCallId"))
                    .isEqualTo(detail(log.get(5)).text("toolCallId"));
            assertThat(detail(log.get(7)).list("diffs").getFirst().text("newText"))
                    .isEqualTo("new");
            assertThat(detail(log.get(8)).list("entries")).hasSize(2);
            assertThat(detail(log.get(10)).text("stopReason")).isEqualTo("end_turn");
            assertThat(log.get(2).source()).isEqualTo(LogEntry.Source.RUNTIME);
        }
    }

    private static JsonFields detail(LogEntry entry) {
        return Json.fields(String.valueOf(entry.detail()));
    }

    @Test
    void mail_wakes_an_agent_and_its_answer_wakes_the_other() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "ada",
                """
                Write to bob.
                !mcp mail_send {"to":"bob","subject":"status?","body":"How far are you?"}""",
                "");
        ManagedFixture.agent(dir, "bob", "Answer.\n!say ready", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("bob PROMPT", "New mail", "status?");
            ManagedFixture.talk(
                    test,
                    "bob",
                    "!mcp mail_send {\"to\":\"ada\",\"subject\":\"half\",\"body\":\"of it\"}");
            test.recorder.await("ada PROMPT", "New mail", "half");
            test.recorder.await("ada REPLY: heard:", "half");
        }
    }

    @Test
    void what_is_said_during_a_turn_waits_for_the_next_and_comes_in_order()
            throws InterruptedException {
        ManagedFixture.agent(
                dir, "dora", "Hi.\n!say begun\n!tool read x\n!sleep 500\n!say over", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora TOOL_CALL");
            ManagedFixture.talk(test, "dora", "!say first");
            ManagedFixture.talk(test, "dora", "!say second");
            test.recorder.await(2, "dora TURN_END");
            test.recorder.await("dora is WAITING");
            assertThat(test.log("dora"))
                    .containsSubsequence(
                            "REPLY: over",
                            "TURN_END: the turn is over",
                            "TALK: A person says: \n!say first",
                            "TALK: A person says: \n!say second",
                            "REPLY: firstsecond",
                            "TURN_END: the turn is over");
            assertThat(test.log("dora").stream().filter(line -> line.startsWith("PROMPT")))
                    .hasSize(2);
        }
    }

    @Test
    void a_task_is_answered_with_the_text_of_its_turn() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.", "auto_start: false\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            ActionResult result =
                    new AgentTasks(test.runner).task("dora", "Count.\n!say The answer is 42.");
            assertThat(result).isEqualTo(new ActionResult.Done("The answer is 42."));
            test.recorder.await("dora is STOPPED: complete: The answer is 42.");
        }
    }

    @Test
    void an_agent_that_says_it_is_complete_stops_and_mail_starts_a_new_session()
            throws InterruptedException {
        ManagedFixture.agent(
                dir, "dora", "Hi.\n!mcp session_complete {\"note\":\"all green\"}", "");
        ManagedFixture.agent(dir, "ada", "Hi.", "auto_start: false\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is STOPPED: complete: all green");
            assertThat(
                            test.runner.start(
                                    "ada",
                                    "\n!mcp mail_send {\"to\":\"dora\",\"subject\":\"x\",\"body\":\"y\"}"))
                    .isInstanceOf(ActionResult.Done.class);
            test.recorder.await(2, "dora is STOPPED: complete: all green");
            assertThat(test.log("dora").stream().filter(line -> line.startsWith("INSTRUCTIONS")))
                    .hasSize(2);
        }
    }

    @Test
    void cancelling_gives_up_the_turn_and_pauses() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun\n!tool read x\n!wait\n!say never", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora TOOL_RESULT");
            ManagedFixture.controls(test, "dora").cancel();
            test.recorder.await("dora is PAUSED: cancelled");
            assertThat(test.log("dora"))
                    .contains("TURN_END: the turn was cancelled", "NOTICE: the turn was cancelled");
            ManagedFixture.talk(test, "dora", "!say again");
            test.recorder.await("dora REPLY: again");
            test.recorder.await("dora PROMPT", "Your last turn was cancelled by a person.");
        }
    }

    @Test
    void the_process_ends_when_it_is_idle_and_comes_back_with_its_session()
            throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun", "idle_stop: 200ms\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            Eventually.holds("no process is left", () -> ManagedFixture.processes(dir).isEmpty());
            ManagedFixture.talk(test, "dora", "!history");
            test.recorder.await("dora REPLY: 3");
            assertThat(test.log("dora").stream().filter(line -> line.startsWith("REPLY: begun")))
                    .as("the replay is no news")
                    .hasSize(1);
        }
    }

    @Test
    void the_process_starts_only_when_it_is_needed() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            assertThat(ManagedFixture.processes(dir)).isEmpty();
            assertThat(test.runner.isServingOnLoopback()).isFalse();
            ManagedFixture.talk(test, "dora", "!say more");
            test.recorder.await("dora REPLY: more");
            assertThat(test.runner.isServingOnLoopback()).isTrue();
        }
    }

    @Test
    void pausing_after_each_turn_waits_for_a_person() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun", "pause_after_turn: true\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is PAUSED: pauses after each turn");
            ManagedFixture.controls(test, "dora").resume();
            test.recorder.await("dora is WAITING");
        }
    }

    @Test
    void an_agent_with_a_sign_in_of_its_own_begins_no_more_turns_than_it_may()
            throws InterruptedException {
        ManagedFixture.agent(
                dir, "dora", "Hi.\n!say begun", "auth: login\nturn_limit: 2\nspend_window: 1h\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            ManagedFixture.talk(test, "dora", "!say second");
            test.recorder.await("dora REPLY: second");
            ManagedFixture.talk(test, "dora", "!say third");
            test.recorder.await("dora is OVER_BUDGET", "2 turns in 1h");
            assertThat(test.log("dora")).doesNotContain("REPLY: third");
        }
    }

    @Test
    void tokens_that_the_runtime_tells_of_count_against_a_usage_limit()
            throws InterruptedException {
        ManagedFixture.agent(
                dir, "dora", "Hi.\n!usage 900 200", "auth: login\nusage_limit: 1000\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora TURN_END");
            ManagedFixture.talk(test, "dora", "!say more");
            test.recorder.await("dora is OVER_BUDGET", "1,000 tokens");
        }
    }

    @Test
    void a_secret_that_comes_in_pieces_is_not_stored() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!pieces 12 1 the key is ${env.MY_KEY} indeed\n!tool read ${env.MY_KEY}",
                "");
        try (TestRunner test =
                TestRunner.start(
                        dir, new PlayedModels(), Map.of("MY_KEY", "hunter2-is-my-key"), null)) {
            test.recorder.await("dora is WAITING");
            assertThat(test.log("dora"))
                    .anySatisfy(l -> assertThat(l).contains("[redacted] indeed"));
            assertThat(ManagedFixture.entries(test, "dora"))
                    .noneMatch(
                            entry ->
                                    (entry.message() + entry.detail())
                                            .contains("hunter2-is-my-key"));
        }
    }

    @Test
    void a_runtime_that_is_not_known_is_refused_with_the_way_on() {
        ManagedFixture.agent(dir, "dora", "Hi.", "");
        TestRunner.agent(dir, "eve", "runtime: nothing-here\nprompt: x\n");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            assertThat(test.runner.start("eve", null).message())
                    .contains(
                            "eve.yaml: runtime: there is no runtime 'nothing-here'",
                            "runtimes.yaml");
        }
    }

    @Test
    void stopping_ends_the_session_and_the_process() throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun\n!tool read x\n!wait", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora TOOL_RESULT");
            LoopControls controls = ManagedFixture.controls(test, "dora");
            controls.stop("stopped by ann");
            test.recorder.await("dora is STOPPED: stopped by ann");
            assertThat(test.runner.status(ManagedFixture.id(test, "dora")))
                    .isEqualTo(AgentStatus.STOPPED);
            Eventually.holds("no process is left", () -> ManagedFixture.processes(dir).isEmpty());
            assertThat(test.log("dora")).contains("TURN_END: the turn was cancelled");
            assertThat(Files.exists(dir)).isTrue();
        }
    }

    @Test
    void an_agent_with_a_repository_works_in_a_clone_of_its_own(@TempDir Path elsewhere)
            throws Exception {
        Path repo = elsewhere.resolve("shop");
        git(elsewhere, "init", "-q", "-b", "main", repo.toString());
        git(repo, "commit", "-q", "--allow-empty", "-m", "begin");
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!cwd\n!run git branch --show-current",
                "workspace: { repo: %s, branch: 'skep/{agent}' }\n".formatted(repo));
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora REPLY", "work/dora/repo");
            test.recorder.await("dora TOOL_RESULT: skep/dora");
        }
    }

    private static void git(Path folder, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of("-c", "user.name=t", "-c", "user.email=t@example.org"));
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void mail_beyond_what_one_turn_announces_is_announced_in_the_next()
            throws InterruptedException {
        ManagedFixture.agent(dir, "dora", "Hi.\n!say begun", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora is WAITING");
            for (int i = 10; i < 30; i++) {
                test.runner
                        .agentService()
                        .mail(test.host.principal(), List.of("dora"), "subject-" + i, "Hello.");
            }
            for (int i = 10; i < 30; i++) {
                test.recorder.await("dora PROMPT", "subject-" + i);
            }
        }
    }
}
