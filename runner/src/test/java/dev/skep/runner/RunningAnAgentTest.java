package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.session.RunSession;
import dev.skep.models.ModelReply;
import dev.skep.models.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningAnAgentTest {
    private static final String PLAIN = "prompt: You are ${agent.username}.\nmodel: m\n";

    @TempDir Path dir;

    @Test
    void commands_run_in_one_bash_and_their_output_comes_back() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of("cd /tmp; WORD=hello", "echo $WORD from $PWD"),
                                        List.of("false")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(test.log("alice"))
                    .contains("COMMAND: echo $WORD from $PWD", "OUTPUT: hello from /tmp")
                    .contains("OUTPUT: [exit status 1]");
            assertThat(PlayedModels.sight(models.requests.get(1)))
                    .contains("output hello from /tmp", "host-1:/tmp");
            assertThat(models.requests.getFirst().system())
                    .startsWith("You are alice.")
                    .contains("mail", "session");
        }
    }

    @Test
    void with_one_command_per_turn_only_the_first_of_a_reply_runs() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "multiple_commands: false\n");
        PlayedModels models =
                new PlayedModels().model("m", commands(List.of("echo one", "echo two")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(test.log("alice")).contains("OUTPUT: one").doesNotContain("OUTPUT: two");
        }
    }

    @Test
    void a_session_goes_on_where_the_runner_was_stopped() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "start_commands: [echo begun]\n");
        RunSession before;
        try (TestRunner test =
                TestRunner.start(
                        dir, new PlayedModels().model("m", commands(List.of("echo first"))))) {
            test.recorder.await("alice is WAITING");
            before = latest(test);
        }
        PlayedModels models =
                new PlayedModels()
                        .model("m", commands(List.of("?"), List.of("?"), List.of("echo third")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("OUTPUT: third");
            RunSession after = latest(test);
            assertThat(after.key()).isEqualTo(before.key());
            assertThat(test.log("alice")).containsOnlyOnce("OUTPUT: begun");
            assertThat(PlayedModels.sight(models.requests.getFirst()))
                    .contains("$ echo begun", "begun", "output first");
        }
    }

    @Test
    void a_command_under_way_when_the_runner_stopped_is_told_as_uncertain()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        try (TestRunner test =
                TestRunner.start(
                        dir,
                        new PlayedModels()
                                .model("m", commands(List.of("sleep 60", "echo later"))))) {
            test.recorder.await("alice COMMAND: sleep 60");
        }
        PlayedModels models = new PlayedModels().model("m", commands(List.of("?")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(PlayedModels.sight(models.requests.getFirst()))
                    .contains("may or may not have run")
                    .contains("not run: the runner stopped before it");
        }
    }

    @Test
    void a_full_context_is_summarised_and_the_summary_survives_a_restart()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "token_limit: 1000\n");
        AtomicInteger asked = new AtomicInteger();
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request -> {
                                    if (!request.mayCommand()) {
                                        return PlayedModels.says("I counted to three.");
                                    }
                                    return asked.getAndIncrement() == 0
                                            ? PlayedModels.answer(
                                                    List.of("echo 1 2 3"),
                                                    new Usage(2000, 10, 0, 0))
                                            : PlayedModels.answer(List.of("session wait"));
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(latest(test).key().session()).isEqualTo(2);
            assertThat(PlayedModels.sight(models.requests.getLast()))
                    .contains("I counted to three.")
                    .doesNotContain("1 2 3");
        }
        PlayedModels later = new PlayedModels().model("m", commands());
        try (TestRunner test = TestRunner.start(dir, later)) {
            test.runner.controls("alice").orElseThrow().talk("go on");
            test.recorder.await("TALK", "go on");
            test.recorder.await("alice is WAITING");
            assertThat(PlayedModels.sight(later.requests.getFirst()))
                    .contains("I counted to three.");
        }
    }

    @Test
    void a_failing_provider_is_asked_again_not_before_it_wants() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        AtomicInteger asked = new AtomicInteger();
        long[] at = new long[2];
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request -> {
                                    int n = asked.getAndIncrement();
                                    at[Math.min(n, 1)] = System.nanoTime();
                                    return n == 0
                                            ? new ModelReply.Failed(
                                                    ModelReply.Failure.RATE_LIMITED,
                                                    "slow down",
                                                    Duration.ofMillis(1500),
                                                    Usage.NONE)
                                            : PlayedModels.answer(List.of("session wait"));
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is BACKING_OFF: slow down");
            test.recorder.await("alice is WAITING");
            assertThat(Duration.ofNanos(at[1] - at[0])).isGreaterThan(Duration.ofMillis(1490));
            assertThat(test.log("alice"))
                    .contains("ERROR: slow down", "NOTICE: the model answers again");
        }
    }

    @Test
    void turns_keep_the_distance_the_file_asks_for() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "turn_delay: 300ms\n");
        List<Long> asked = new CopyOnWriteArrayList<>();
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request -> {
                                    asked.add(System.nanoTime());
                                    return PlayedModels.answer(
                                            List.of(asked.size() < 3 ? "echo on" : "session wait"));
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(asked.getLast() - asked.getFirst()).isGreaterThan(400_000_000L);
        }
    }

    @Test
    void what_cannot_be_retried_waits_for_a_person() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        AtomicInteger asked = new AtomicInteger();
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request ->
                                        asked.getAndIncrement() == 0
                                                ? new ModelReply.Failed(
                                                        ModelReply.Failure.KEY_REFUSED,
                                                        "bad key",
                                                        null,
                                                        Usage.NONE)
                                                : PlayedModels.answer(List.of("session wait")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is FAILED: bad key");
            test.runner.controls("alice").orElseThrow().resume();
            test.recorder.await("alice is WAITING");
        }
    }

    @Test
    void an_agent_that_goes_in_circles_is_warned_then_paused() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels()
                        .model("m", request -> PlayedModels.answer(List.of("echo again")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is PAUSED: goes in circles");
            assertThat(models.requests).hasSize(6);
            assertThat(PlayedModels.sight(models.requests.getLast()))
                    .contains("You have repeated the same commands");
        }
    }

    @Test
    void an_agent_that_runs_no_command_is_reminded_and_then_waits() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models = new PlayedModels().model("m", request -> PlayedModels.says("hm"));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(models.requests).hasSize(3);
            assertThat(PlayedModels.sight(models.requests.getLast()))
                    .contains("You ran no command");
        }
    }

    @Test
    void a_long_command_can_be_waited_for_typed_to_and_killed() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "command_timeout: 300ms\n");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of("read -r x; echo got $x"),
                                        List.of("echo busy", "shell type 'a word'"),
                                        List.of("sleep 60"),
                                        List.of("shell wait 0", "shell kill")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            assertThat(String.join("\n", test.log("alice")))
                    .contains(
                            "[still running:", "the command before is still running", "got a word");
            assertThat(test.log("alice").toString()).doesNotContain("OUTPUT: busy");
        }
    }

    @Test
    void secrets_never_reach_the_log_or_the_model() throws InterruptedException {
        TestRunner.agent(
                dir,
                "alice",
                """
                prompt: Use ${env.API_TOKEN}.
                model: m
                env: { TOKEN: "${env.API_TOKEN}" }
                """);
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                commands(
                                        List.of(
                                                "echo $TOKEN; echo -n $TOKEN | base64",
                                                "echo sk-ant-abcdefghijklmnopqrstuvwxyz")));
        try (TestRunner test =
                TestRunner.start(dir, models, Map.of("API_TOKEN", "hush-hush-42"), null)) {
            test.recorder.await("alice is WAITING");
            String log = String.join("\n", test.log("alice"));
            assertThat(log)
                    .doesNotContain("hush-hush-42", "aHVzaC1odXNoLTQy", "abcdefghijklmnop")
                    .contains("INSTRUCTIONS: Use ${env.API_TOKEN}.", "OUTPUT: [redacted]");
            assertThat(models.requests.getFirst().system()).contains("Use hush-hush-42.");
            assertThat(test.runner.stores().agents().onThisHost().getFirst().config())
                    .contains("${env.API_TOKEN}")
                    .doesNotContain("hush");
        }
    }

    private static RunSession latest(TestRunner test) {
        return test.runner
                .stores()
                .sessions()
                .latest(test.host.principal(), test.runner.agents().getFirst().id())
                .orElseThrow();
    }
}
