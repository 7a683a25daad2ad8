package dev.skep.runner.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import dev.skep.runner.PlayedModels;
import dev.skep.runner.TestRunner;
import java.io.BufferedReader;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TypingToAgentsTest {
    @TempDir Path dir;

    @Test
    void words_reach_the_agent_in_focus_and_commands_are_understood() throws Exception {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n");
        PlayedModels models =
                new PlayedModels()
                        .model("m", request -> PlayedModels.answer(List.of("session wait")));
        PipedReader shown = new PipedReader(1 << 16);
        var quit = new CountDownLatch(1);
        try (TestRunner test = TestRunner.start(dir, models);
                PrintWriter out = new PrintWriter(new PipedWriter(shown));
                Stream stream = new Stream(out, false, false);
                BufferedReader lines = new BufferedReader(shown)) {
            test.recorder.await("alice is WAITING");
            stream.start();
            Prompt prompt =
                    new Prompt(
                            new BufferedReader(new StringReader("")),
                            test.runner.desk(),
                            test.host.principal(),
                            stream,
                            quit::countDown);
            prompt.typed("hello?");
            assertThat(lines.readLine()).contains("say whom you mean");
            prompt.typed("@alice are you there");
            assertThat(lines.readLine()).isEqualTo("alice hears it");
            test.recorder.await("alice TALK", "are you there");
            prompt.typed("@alice");
            assertThat(lines.readLine()).contains("say what");
            prompt.typed("/focus nobody");
            assertThat(lines.readLine()).contains("there is no agent 'nobody'");
            prompt.typed("/focus alice");
            assertThat(lines.readLine()).startsWith("showing alice only");
            prompt.typed("good morning");
            assertThat(lines.readLine()).isEqualTo("alice hears it");
            test.recorder.await("alice TALK", "good morning");
            prompt.typed("/pause");
            assertThat(lines.readLine()).isEqualTo("alice is paused");
            prompt.typed("/stop nobody");
            assertThat(lines.readLine()).contains("there is no agent 'nobody'");
            prompt.typed("/approve");
            assertThat(lines.readLine()).isEqualTo("no command waits for approval");
            prompt.typed("/all");
            assertThat(lines.readLine()).isEqualTo("showing all agents");
            prompt.typed("/juggle alice");
            assertThat(lines.readLine()).contains("there is no /juggle");
            prompt.typed("/quit");
            quit.await();
        }
    }

    @Test
    void what_an_agent_prints_cannot_steer_the_terminal() throws Exception {
        PipedReader shown = new PipedReader(1 << 12);
        try (PrintWriter out = new PrintWriter(new PipedWriter(shown));
                Stream stream = new Stream(out, true, false);
                BufferedReader lines = new BufferedReader(shown)) {
            stream.start();
            stream.tell("a\033[2J\007b\033[31mred\033[0m");
            assertThat(lines.readLine()).isEqualTo("a\ufffd[2J\ufffdb\033[31mred\033[0m");
        }
    }

    @Test
    void a_quiet_terminal_tells_only_errors_and_what_needs_somebody() throws Exception {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n");
        PipedReader shown = new PipedReader(1 << 12);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels());
                PrintWriter out = new PrintWriter(new PipedWriter(shown));
                Stream stream = new Stream(out, false, true);
                BufferedReader lines = new BufferedReader(shown)) {
            Agent alice = test.runner.agents().getFirst();
            stream.start();
            stream.changed(alice, AgentStatus.ACTIVE, "");
            stream.changed(alice, AgentStatus.WAITING, "");
            stream.changed(alice, AgentStatus.STOPPED, "");
            stream.changed(alice, AgentStatus.AWAITING_APPROVAL, "ls");
            assertThat(lines.readLine()).contains("alice", "wants to run: ls");
            stream.changed(alice, AgentStatus.FAILED, "no key");
            assertThat(lines.readLine()).contains("failed: no key");
        }
    }

    @Test
    void an_agent_that_tries_again_and_again_is_told_of_once_until_something_else_happens()
            throws Exception {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n");
        PipedReader shown = new PipedReader(1 << 12);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels());
                PrintWriter out = new PrintWriter(new PipedWriter(shown));
                Stream stream = new Stream(out, false, false);
                BufferedReader lines = new BufferedReader(shown)) {
            Agent alice = test.runner.agents().getFirst();
            stream.start();
            for (int tries = 0; tries < 3; tries++) {
                stream.changed(alice, AgentStatus.ACTIVE, "");
                stream.changed(alice, AgentStatus.BACKING_OFF, "nobody answers");
            }
            stream.changed(alice, AgentStatus.BACKING_OFF, "too many requests");
            assertThat(lines.readLine()).contains("backing off: nobody answers");
            assertThat(lines.readLine()).contains("backing off: too many requests");
            stream.changed(alice, AgentStatus.WAITING, "");
            stream.changed(alice, AgentStatus.BACKING_OFF, "too many requests");
            assertThat(lines.readLine()).contains("waiting");
            assertThat(lines.readLine()).contains("backing off: too many requests");
        }
    }
}
