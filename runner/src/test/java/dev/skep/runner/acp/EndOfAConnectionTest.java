package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.testkit.acp.FixtureAgent;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndOfAConnectionTest {
    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"!crash", "!crash-in-tool", "!crash-in-permission"})
    void an_agent_that_crashes_in_a_turn_fails_the_turn_after_what_it_said(String how)
            throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            agent.decision =
                    request -> {
                        new CountDownLatch(1).await();
                        return new PermissionOutcome.Cancelled();
                    };

            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt(session, "!say before\n" + how));

            assertThat(RawAgent.failure(turn))
                    .hasMessage("session/prompt: the agent ended its output")
                    .extracting(AcpException::failure)
                    .isEqualTo(AcpException.Failure.ENDED);
            assertThat(agent.said()).isEqualTo("before");
            assertThat(agent.ending()).isEqualTo("the agent ended its output");
            assertThat(agent.process.waitFor()).isEqualTo(3);
            assertThat(RawAgent.failure(RawAgent.begun(agent::session)))
                    .hasMessage("initialize: the agent ended its output");
        }
    }

    @Test
    void an_agent_that_ends_at_once_fails_the_first_call() throws Exception {
        try (var agent = new RunningFixture(folder, "crash=start")) {
            assertThat(RawAgent.failure(RawAgent.begun(agent::session)).failure())
                    .isEqualTo(AcpException.Failure.ENDED);
        }
    }

    @Test
    void closing_ends_what_waits_and_tells_the_handler_once() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            CountDownLatch interrupted = new CountDownLatch(1);
            agent.decision =
                    request -> {
                        try {
                            new CountDownLatch(1).await();
                        } finally {
                            interrupted.countDown();
                        }
                        return new PermissionOutcome.Cancelled();
                    };
            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt(session, "!ask write a b"));
            Eventually.holds("it asks", () -> !agent.asked.isEmpty());

            agent.connection.close();
            agent.connection.close();

            assertThat(RawAgent.failure(turn)).hasMessageContaining("the connection was closed");
            interrupted.await();
            agent.process.waitFor();
            assertThat(agent.ending()).isEqualTo("the connection was closed");
            assertThat(agent.closed).hasSize(1);
        }
    }

    @Test
    void a_prompt_that_is_interrupted_leaves_the_turn_running_until_it_is_cancelled()
            throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            FutureTask<PromptResult> turn =
                    new FutureTask<>(() -> agent.connection.prompt(session, "!say on\n!wait"));
            Thread thread = Thread.ofVirtual().start(turn);
            Eventually.holds("it works", () -> agent.said().equals("on"));

            thread.interrupt();
            thread.join();
            agent.connection.cancel(session);

            Eventually.holds("its answer is passed over", () -> agent.connection.ignored() == 1);
            assertThat(agent.connection.prompt(session, "!say again").stopReason())
                    .isEqualTo("end_turn");
        }
    }

    @Test
    void a_cancelled_turn_says_so() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt(session, "!say on\n!sleep 60000"));
            Eventually.holds("it works", () -> agent.said().equals("on"));

            agent.connection.cancel(session);

            assertThat(turn.get().stopReason()).isEqualTo("cancelled");
        }
    }

    @Test
    void what_an_agent_says_after_its_answer_is_heard() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            agent.connection.prompt(session, "!say now\n!late 1 later");
            Eventually.holds("the late words", () -> agent.said().equals("nowlater"));
        }
    }

    @Test
    void a_handler_that_fails_ends_the_connection() throws Exception {
        Process process = new ProcessBuilder(FixtureAgent.command("flood=start")).start();
        var closed = new CompletableFuture<String>();
        try (var _ =
                AcpConnection.over(
                        process.getInputStream(),
                        process.getOutputStream(),
                        new AcpHandler() {
                            @Override
                            public void updated(String sessionId, SessionUpdate update) {
                                throw new IllegalStateException("the disk is full");
                            }

                            @Override
                            public PermissionOutcome permission(PermissionRequest request) {
                                return new PermissionOutcome.Cancelled();
                            }

                            @Override
                            public void closed(String why) {
                                closed.complete(why);
                            }
                        })) {
            assertThat(closed.get())
                    .isEqualTo("what the agent said could not be taken: the disk is full");
        } finally {
            process.destroyForcibly();
        }
    }
}
