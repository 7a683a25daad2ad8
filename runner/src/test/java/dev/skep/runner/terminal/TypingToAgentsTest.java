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
    void commands_are_approved_for_always_and_denied_with_a_reason() throws Exception {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\nprotection: manual\n");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                PlayedModels.commands(List.of("expr 1"), List.of("expr 2 + 2")));
        PipedReader shown = new PipedReader(1 << 16);
        try (TestRunner test = TestRunner.start(dir, models);
                PrintWriter out = new PrintWriter(new PipedWriter(shown));
                TerminalOutput terminalOutput = new TerminalOutput(out, false, false);
                BufferedReader lines = new BufferedReader(shown)) {
            terminalOutput.start();
            TerminalInput terminalInput =
                    new TerminalInput(
                            new BufferedReader(new StringReader("")),
                            test.runner.agentService(),
                            test.host.principal(),
                            terminalOutput,
                            () -> {});
            test.recorder.await("alice is AWAITING_APPROVAL: expr 1");
            terminalInput.typed("/approve always");
            assertThat(lines.readLine())
                    .isEqualTo("approved; the file of alice allows it from now on");
            test.recorder.await("alice is AWAITING_APPROVAL: expr 2 + 2");
            String id = test.runner.agentService().waiting(test.host.principal()).getFirst();
            terminalInput.typed("/deny " + id.substring(20) + " use bc instead");
            assertThat(lines.readLine()).isEqualTo("denied");
            test.recorder.await("alice OUTPUT: error: denied by a person: use bc instead");
        }
    }

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
                TerminalOutput terminalOutput = new TerminalOutput(out, false, false);
                BufferedReader lines = new BufferedReader(shown)) {
            test.recorder.await("alice is WAITING");
            terminalOutput.start();
            TerminalInput terminalInput =
                    new TerminalInput(
                            new BufferedReader(new StringReader("")),
                            test.runner.agentService(),
                            test.host.principal(),
                            terminalOutput,
                            quit::countDown);
            terminalInput.typed("hello?");
            assertThat(lines.readLine()).contains("name the agent");
            terminalInput.typed("@alice are you there");
            assertThat(lines.readLine()).isEqualTo("alice hears it");
            test.recorder.await("alice TALK", "are you there");
            terminalInput.typed("@alice");
            assertThat(lines.readLine()).contains("say what");
            terminalInput.typed("/focus nobody");
            assertThat(lines.readLine()).contains("there is no agent 'nobody'");
            terminalInput.typed("/focus alice");
            assertThat(lines.readLine()).startsWith("showing alice only");
            terminalInput.typed("good morning");
            assertThat(lines.readLine()).isEqualTo("alice hears it");
            test.recorder.await("alice TALK", "good morning");
            terminalInput.typed("/pause");
            assertThat(lines.readLine()).isEqualTo("alice is paused");
            terminalInput.typed("/stop nobody");
            assertThat(lines.readLine()).contains("there is no agent 'nobody'");
            terminalInput.typed("/approve");
            assertThat(lines.readLine()).isEqualTo("no command waits for approval");
            terminalInput.typed("/all");
            assertThat(lines.readLine()).isEqualTo("showing all agents");
            terminalInput.typed("/juggle alice");
            assertThat(lines.readLine()).contains("there is no /juggle");
            terminalInput.typed("/quit");
            quit.await();
        }
    }

    @Test
    void what_an_agent_prints_cannot_steer_the_terminal() throws Exception {
        PipedReader shown = new PipedReader(1 << 12);
        try (PrintWriter out = new PrintWriter(new PipedWriter(shown));
                TerminalOutput terminalOutput = new TerminalOutput(out, true, false);
                BufferedReader lines = new BufferedReader(shown)) {
            terminalOutput.start();
            terminalOutput.tell("a\033[2J\007b\033[31mred\033[0m");
            assertThat(lines.readLine()).isEqualTo("a\ufffd[2J\ufffdb\033[31mred\033[0m");
        }
    }

    @Test
    void a_quiet_terminal_tells_only_errors_and_what_needs_somebody() throws Exception {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\n");
        PipedReader shown = new PipedReader(1 << 12);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels());
                PrintWriter out = new PrintWriter(new PipedWriter(shown));
                TerminalOutput terminalOutput = new TerminalOutput(out, false, true);
                BufferedReader lines = new BufferedReader(shown)) {
            Agent alice = test.runner.agents().getFirst();
            terminalOutput.start();
            terminalOutput.changed(alice, AgentStatus.ACTIVE, "");
            terminalOutput.changed(alice, AgentStatus.WAITING, "");
            terminalOutput.changed(alice, AgentStatus.STOPPED, "");
            terminalOutput.changed(alice, AgentStatus.AWAITING_APPROVAL, "ls");
            assertThat(lines.readLine()).contains("alice", "wants to run: ls");
            terminalOutput.changed(alice, AgentStatus.FAILED, "no key");
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
                TerminalOutput terminalOutput = new TerminalOutput(out, false, false);
                BufferedReader lines = new BufferedReader(shown)) {
            Agent alice = test.runner.agents().getFirst();
            terminalOutput.start();
            for (int tries = 0; tries < 3; tries++) {
                terminalOutput.changed(alice, AgentStatus.ACTIVE, "");
                terminalOutput.changed(alice, AgentStatus.BACKING_OFF, "nobody answers");
            }
            terminalOutput.changed(alice, AgentStatus.BACKING_OFF, "too many requests");
            assertThat(lines.readLine()).contains("backing off: nobody answers");
            assertThat(lines.readLine()).contains("backing off: too many requests");
            terminalOutput.changed(alice, AgentStatus.WAITING, "");
            terminalOutput.changed(alice, AgentStatus.BACKING_OFF, "too many requests");
            assertThat(lines.readLine()).contains("waiting");
            assertThat(lines.readLine()).contains("backing off: too many requests");
        }
    }
}
