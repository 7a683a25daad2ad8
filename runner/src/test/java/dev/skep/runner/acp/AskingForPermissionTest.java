package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskingForPermissionTest {
    @TempDir Path folder;

    private static PermissionOutcome never(PermissionRequest request) throws InterruptedException {
        new CountDownLatch(1).await();
        return request.choose(PermissionRequest.Kind.ALLOW_ONCE);
    }

    @Test
    void an_option_is_chosen_by_its_kind_and_not_by_its_place() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();

            agent.connection.prompt(session, "!ask write a.txt yes");

            PermissionRequest request = agent.asked.getFirst();
            assertThat(request.options())
                    .extracting(PermissionRequest.Option::kind)
                    .containsExactly(
                            PermissionRequest.Kind.ALLOW_ALWAYS,
                            PermissionRequest.Kind.ALLOW_ONCE,
                            PermissionRequest.Kind.REJECT_ONCE);
            assertThat(request.sessionId()).isEqualTo(session);
            assertThat(folder.resolve("a.txt")).hasContent("yes");

            agent.decision = r -> r.choose(PermissionRequest.Kind.REJECT_ONCE);
            agent.connection.prompt(session, "!ask write b.txt no");
            assertThat(folder.resolve("b.txt")).doesNotExist();
            assertThat(agent.heard(SessionUpdate.ToolCallUpdate.class).getLast().content())
                    .containsExactly(new SessionUpdate.ToolContent.Text("not allowed: no#1"));
        }
    }

    @Test
    void a_permission_may_be_the_first_that_is_heard_of_a_tool_call() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();

            agent.connection.prompt(session, "!ask-bare run echo hello");

            assertThat(agent.heard(SessionUpdate.ToolCall.class)).isEmpty();
            SessionUpdate.ToolCallUpdate call = agent.asked.getFirst().toolCall();
            assertThat(call.title()).isEqualTo("echo hello");
            assertThat(call.kind()).isEqualTo("execute");
            assertThat(call.rawInput()).isEqualTo("{\"command\":\"echo hello\"}");
            assertThat(agent.heard(SessionUpdate.ToolCallUpdate.class).getLast())
                    .satisfies(
                            update -> {
                                assertThat(update.toolCallId()).isEqualTo(call.toolCallId());
                                assertThat(update.status()).isEqualTo("completed");
                            });
        }
    }

    @Test
    void updates_go_on_while_a_permission_waits() throws Exception {
        CountDownLatch heardMore = new CountDownLatch(1);
        try (var agent =
                new RawAgent(
                        AcpLimits.DEFAULTS,
                        request -> {
                            heardMore.await();
                            return request.choose(PermissionRequest.Kind.ALLOW_ONCE);
                        })) {
            agent.writes(request("1"));
            agent.writes(RawAgent.chunk("more"));
            Eventually.holds("the update behind it", () -> !agent.updates.isEmpty());
            heardMore.countDown();
            assertThat(agent.reads()).contains("\"optionId\":\"o\"");
        }
    }

    @Test
    void cancelling_a_turn_cancels_the_permission_it_waits_for() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session = agent.session();
            AtomicInteger interrupted = new AtomicInteger();
            agent.decision =
                    request -> {
                        try {
                            return never(request);
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                            throw e;
                        }
                    };
            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt(session, "!ask write a.txt no"));
            Eventually.holds("it asks", () -> !agent.asked.isEmpty());

            agent.connection.cancel(session);

            assertThat(turn.get().stopReason()).isEqualTo("cancelled");
            Eventually.holds("the decision is interrupted", () -> interrupted.get() == 1);
            assertThat(folder.resolve("a.txt")).doesNotExist();
            assertThat(agent.connection.prompt(session, "!say on").stopReason())
                    .isEqualTo("end_turn");
        }
    }

    @Test
    void a_cancel_goes_out_before_the_answers_it_causes_and_only_those_of_its_session()
            throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS, AskingForPermissionTest::never)) {
            agent.writes(request("1"));
            agent.writes(request("2").replace("\"sessionId\":\"s\"", "\"sessionId\":\"other\""));
            agent.writes(RawAgent.chunk("behind them"));
            Eventually.holds("both were read", () -> !agent.updates.isEmpty());

            agent.connection.cancel("s");
            agent.connection.cancel("third");

            assertThat(agent.reads()).contains("session/cancel");
            assertThat(agent.reads())
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"outcome\":{\"outcome\":\"cancelled\"}}}");
            assertThat(agent.reads()).contains("\"sessionId\":\"third\"");
        }
    }

    @Test
    void an_agent_may_withdraw_what_it_asked() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS, AskingForPermissionTest::never)) {
            agent.writes(request("\"p\""));
            agent.writes(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":\"p\"}}");
            assertThat(agent.reads()).contains("\"id\":\"p\"").contains("cancelled");
            assertThat(agent.connection.ignored()).isZero();
        }
    }

    @Test
    void more_permissions_at_once_than_the_bound_are_cancelled_unasked() throws Exception {
        try (var agent = new RawAgent(RawAgent.SMALL, AskingForPermissionTest::never)) {
            agent.writes(request("1"));
            agent.writes(request("2"));
            agent.writes(request("3"));
            assertThat(agent.reads()).contains("\"id\":3").contains("cancelled");
        }
    }

    @Test
    void a_decision_that_fails_is_a_cancel() throws Exception {
        try (var agent =
                new RawAgent(
                        AcpLimits.DEFAULTS,
                        request -> {
                            throw new IllegalStateException("no database");
                        })) {
            agent.writes(request("1"));
            assertThat(agent.reads()).contains("cancelled");
            agent.writes(RawAgent.chunk("on"));
            Eventually.holds("the connection is open", () -> !agent.updates.isEmpty());
        }
    }

    private static String request(String id) {
        return """
        {"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"o","name":"O","kind":"allow_once"}]}}"""
                .formatted(id);
    }
}
