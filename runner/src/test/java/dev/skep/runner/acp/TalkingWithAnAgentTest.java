package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** What goes over the wire, line by line. */
class TalkingWithAnAgentTest {
    private static final String PERMISSION =
            """
            {"jsonrpc":"2.0","id":%s,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},"options":[{"optionId":"a","name":"A","kind":"allow_always"},{"optionId":"o","name":"O","kind":"allow_once"}]}}""";

    @Test
    void it_offers_neither_files_nor_terminals() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            FutureTask<AgentDescription> asked =
                    RawAgent.begun(() -> agent.connection.initialize("skep", "1.0"));

            assertThat(agent.reads())
                    .isEqualTo(
                            """
                            {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{},"clientInfo":{"name":"skep","title":"skep","version":"1.0"}}}""");
            agent.writes(
                    """
                    {"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"news":{"x":[1]},"agentInfo":{"name":"n","version":"v"},"agentCapabilities":{"loadSession":true,"mcpCapabilities":{"http":true},"promptCapabilities":{"image":true},"sessionCapabilities":{"resume":{},"close":null}},"authMethods":[{"id":"login","name":"Sign in"}]}}""");
            assertThat(asked.get())
                    .isEqualTo(
                            new AgentDescription(
                                    1,
                                    "n",
                                    "v",
                                    true,
                                    true,
                                    false,
                                    true,
                                    true,
                                    List.of(new AgentDescription.AuthMethod("login", "Sign in"))));
        }
    }

    @Test
    void a_session_tells_its_modes_models_and_options_and_is_told_of_servers() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            McpServerAddress http =
                    new McpServerAddress.Http(
                            "skep", "http://127.0.0.1:1/mcp", Map.of("Authorization", "Bearer x"));
            McpServerAddress stdio =
                    new McpServerAddress.Stdio("own", "/bin/tool", List.of("-v"), Map.of("K", "V"));
            FutureTask<OpenedSession> asked =
                    RawAgent.begun(
                            () -> agent.connection.newSession("/work", List.of(http, stdio)));

            assertThat(agent.reads())
                    .contains("\"cwd\":\"/work\"")
                    .contains(
                            """
                            {"name":"skep","type":"http","url":"http://127.0.0.1:1/mcp","headers":[{"name":"Authorization","value":"Bearer x"}]}""")
                    .contains(
                            """
                            {"name":"own","command":"/bin/tool","args":["-v"],"env":[{"name":"K","value":"V"}]}""");
            agent.writes(
                    """
                    {"jsonrpc":"2.0","id":0,"result":{"sessionId":"s-1","modes":{"currentModeId":"ask","availableModes":[{"id":"ask","name":"Ask"},{"id":"auto","name":"Auto"}]},"models":{"currentModelId":"m","availableModels":[{"modelId":"m","name":"M"}]},"configOptions":[{"id":"effort","name":"Effort","category":"thought_level","type":"select","currentValue":"low","options":[{"group":"g","name":"G","options":[{"value":"low","name":"Low"}]},{"value":"high","name":"High"}]},{"id":"fast","name":"Fast","type":"boolean","currentValue":true}]}}""");
            OpenedSession session = asked.get();
            assertThat(session.sessionId()).isEqualTo("s-1");
            assertThat(session.mode()).isEqualTo("ask");
            assertThat(session.modes())
                    .extracting(OpenedSession.Choice::id)
                    .containsExactly("ask", "auto");
            assertThat(session.models()).containsExactly(new OpenedSession.Choice("m", "M"));
            assertThat(session.options().getFirst().choices())
                    .extracting(OpenedSession.Choice::id)
                    .containsExactly("low", "high");
            assertThat(session.options().getLast().value()).isEqualTo("true");
            assertThat(http + " " + stdio).doesNotContain("Bearer x").doesNotContain("=V");
        }
    }

    @Test
    void both_sides_number_their_requests_from_0() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt("s", "go"));
            assertThat(agent.reads()).contains("\"id\":0,\"method\":\"session/prompt\"");

            agent.writes(PERMISSION.formatted("0"));
            assertThat(agent.reads())
                    .isEqualTo(
                            """
                            {"jsonrpc":"2.0","id":0,"result":{"outcome":{"outcome":"selected","optionId":"o"}}}""");
            assertThat(turn.isDone()).isFalse();
            agent.writes("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"stopReason\":\"refusal\"}}");
            assertThat(turn.get().stopReason()).isEqualTo("refusal");
        }
    }

    @Test
    void ids_of_the_agent_come_back_as_they_were() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            agent.writes(PERMISSION.formatted("\"perm-1\""));
            assertThat(agent.reads()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":\"perm-1\",");
            agent.writes(PERMISSION.formatted("9007199254740993"));
            assertThat(agent.reads()).startsWith("{\"jsonrpc\":\"2.0\",\"id\":9007199254740993,");
        }
    }

    @Test
    void unknown_requests_are_refused_and_what_is_unknown_is_counted() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            agent.writes(
                    """
                    {"jsonrpc":"2.0","id":"x","method":"fs/read_text_file","params":{"path":"/etc/passwd"}}""");
            assertThat(agent.reads())
                    .isEqualTo(
                            """
                            {"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"Method not found","data":{"method":"fs/read_text_file"}}}""");

            agent.writes("{\"jsonrpc\":\"2.0\",\"method\":\"_auth/status_update\",\"params\":{}}");
            agent.writes(
                    "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":7}}");
            agent.writes("{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}");
            agent.writes(
                    """
                    {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}""");
            agent.writes("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\"}");
            agent.writes(RawAgent.chunk("still here"));

            Eventually.holds("the text after all that", () -> agent.updates.size() == 3);
            assertThat(agent.updates)
                    .containsExactly(
                            new SessionUpdate.Other("available_commands_update"),
                            new SessionUpdate.Other(""),
                            new SessionUpdate.MessageChunk("still here", null));
            assertThat(agent.connection.ignored()).isEqualTo(6);
            assertThat(agent.connection.garbage()).isZero();
        }
    }

    @Test
    void fields_of_another_type_than_expected_are_passed_over() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            agent.writes(
                    """
                    {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":7,"update":{"sessionUpdate":"tool_call","toolCallId":["x"],"title":null,"kind":3,"content":"no list","locations":{"path":"p"},"rawInput":"text"}}}""");
            agent.writes(
                    """
                    {"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":[1,{"content":"c"}]}}}""");
            agent.writes(
                    """
                    {"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":"x"},"messageId":"m1"}}}""");

            Eventually.holds("all three", () -> agent.updates.size() == 3);
            assertThat(agent.updates)
                    .containsExactly(
                            new SessionUpdate.ToolCall(
                                    "",
                                    "",
                                    "other",
                                    "pending",
                                    List.of(),
                                    List.of(),
                                    "\"text\"",
                                    null),
                            new SessionUpdate.Plan(
                                    List.of(
                                            new SessionUpdate.PlanStep("", "pending", "medium"),
                                            new SessionUpdate.PlanStep("c", "pending", "medium"))),
                            new SessionUpdate.MessageChunk("[image]", "m1"));
        }
    }

    @Test
    void an_error_says_what_was_asked_and_what_the_agent_said() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            FutureTask<OpenedSession> asked =
                    RawAgent.begun(() -> agent.connection.newSession("/work", List.of()));
            agent.reads();
            agent.writes(
                    """
                    {"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"Internal error","data":{"details":"no disk"}}}""");
            AcpException failure = RawAgent.failure(asked);
            assertThat(failure.failure()).isEqualTo(AcpException.Failure.REFUSED);
            assertThat(failure)
                    .hasMessage("session/new: Internal error {\"details\":\"no disk\"} (-32603)");

            FutureTask<OpenedSession> again =
                    RawAgent.begun(() -> agent.connection.newSession("/work", List.of()));
            agent.reads();
            agent.writes("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"modes\":null}}");
            assertThat(RawAgent.failure(again).failure()).isEqualTo(AcpException.Failure.MALFORMED);
        }
    }

    @Test
    void gemini_tells_its_tokens_in_its_own_words() throws Exception {
        try (var agent = new RawAgent(AcpLimits.DEFAULTS)) {
            FutureTask<PromptResult> turn =
                    RawAgent.begun(() -> agent.connection.prompt("s", "go"));
            agent.reads();
            agent.writes(
                    """
                    {"jsonrpc":"2.0","id":0,"result":{"stopReason":"end_turn","_meta":{"quota":{"token_count":{"input_tokens":5,"output_tokens":6}}}}}""");
            assertThat(turn.get().usage()).isEqualTo(new PromptResult.TurnTokens(5, 6, 0, 0, 11));
        }
    }
}
