package dev.skep.models.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.CommandCall;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelReply.Answered;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.ModelSettings.Reasoning;
import dev.skep.models.Prices;
import dev.skep.models.Thinking;
import dev.skep.models.Usage;
import dev.skep.models.provider.ModelEndpoint.ReasoningStyle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class WhatProvidersAreSentTest {
    private final FakeProvider provider = new FakeProvider(FakeProvider.silent());
    private final RemoteModels models = new RemoteModels(InstantSource.system());
    private FakeProvider.Seen seen = new FakeProvider.Seen("", java.util.Map.of(), "{}");

    @AfterEach
    void close() {
        models.close();
        provider.close();
    }

    private ModelEndpoint endpoint(ProviderProtocol providerProtocol, ReasoningStyle reasoning) {
        return new ModelEndpoint(
                providerProtocol,
                "the-model",
                provider.address(),
                "the-key",
                true,
                reasoning,
                true,
                8192,
                Duration.ofSeconds(10));
    }

    private static ModelSettings settings(Reasoning reasoning) {
        return new ModelSettings(1000, 0.5, reasoning, true);
    }

    private static ModelRequest request(ModelSettings settings, ModelMessage... messages) {
        return new ModelRequest("You are Ada.", List.of(messages), true, settings);
    }

    private ModelReply ask(ModelEndpoint endpoint, String events, ModelRequest request)
            throws InterruptedException {
        provider.answer(FakeProvider.stream(events));
        ModelReply reply =
                models.open(
                                new ModelCard("test", endpoint.dialect().word(), 1000, Prices.FREE),
                                endpoint)
                        .ask(request, ModelListener.SILENT);
        seen = provider.nextRequest();
        return reply;
    }

    private JsonNode sent() {
        return JsonMapper.shared().readTree(seen.body());
    }

    @Test
    void anthropic_caches_the_system_prompt_the_tool_and_the_conversation_so_far()
            throws Exception {
        ask(
                endpoint(ProviderProtocol.ANTHROPIC, ReasoningStyle.NONE),
                WireFormat.ANTHROPIC.whole(),
                request(
                        settings(Reasoning.OFF),
                        new ModelMessage.Said("Look."),
                        new ModelMessage.Replied("", List.of(new CommandCall("t1", "ls")), null),
                        new ModelMessage.Output("t1", "a.txt")));
        assertThat(seen.requestLine()).startsWith("POST /v1/messages ");
        assertThat(seen.headers()).containsEntry("x-api-key", "the-key");
        JsonNode sent = sent();
        assertThat(sent.at("/system/0/cache_control/type").asString()).isEqualTo("ephemeral");
        assertThat(sent.at("/tools/0/cache_control/type").asString()).isEqualTo("ephemeral");
        assertThat(sent.at("/messages/2/content/0/type").asString()).isEqualTo("tool_result");
        assertThat(sent.at("/messages/2/content/0/cache_control/type").asString())
                .isEqualTo("ephemeral");
        assertThat(sent.at("/messages/0/content/0").has("cache_control")).isFalse();
        assertThat(sent.at("/stream").asBoolean()).isTrue();
        assertThat(sent.at("/max_tokens").asInt()).isEqualTo(1000);
        assertThat(sent.at("/temperature").asDouble()).isEqualTo(0.5);
        assertThat(sent.at("/tools/0/name").asString()).isEqualTo("run");
    }

    @Test
    void responses_keep_nothing_at_the_provider_and_get_their_thoughts_back() throws Exception {
        String thought =
                "{\"id\":\"r\",\"type\":\"reasoning\",\"summary\":[],\"encrypted_content\":\"gAAA+/=\"}";
        String pieces =
                """
                data: {"type":"response.output_item.added","output_index":0,"item":{"id":"f1","type":"function_call","call_id":"call_1","name":"run","arguments":""}}

                data: {"type":"response.function_call_arguments.delta","item_id":"f1","output_index":0,"delta":"{\\"command\\":\\"ls"}

                data: {"type":"response.function_call_arguments.delta","item_id":"f1","output_index":0,"delta":" -la\\"}"}

                data: {"type":"response.function_call_arguments.done","item_id":"f1","output_index":0,"arguments":"{\\"command\\":\\"ls -la\\"}"}

                """;
        ModelReply reply =
                ask(
                        endpoint(ProviderProtocol.OPENAI_RESPONSES, ReasoningStyle.EFFORT),
                        pieces
                                + WireFormat.OPENAI_RESPONSES
                                        .twoCalls()
                                        .replace("\"output\":[]", "\"output\":[" + thought + "]"),
                        request(settings(Reasoning.HIGH), new ModelMessage.Said("Look.")));
        assertThat(seen.requestLine()).startsWith("POST /v1/responses ");
        assertThat(seen.headers()).containsEntry("authorization", "Bearer the-key");
        JsonNode sent = sent();
        assertThat(sent.at("/store").asBoolean(true)).isFalse();
        assertThat(sent.at("/stream").asBoolean()).isTrue();
        assertThat(sent.at("/max_output_tokens").asInt()).isEqualTo(1000);
        assertThat(sent.at("/reasoning/effort").asString()).isEqualTo("high");
        assertThat(sent.at("/include/0").asString()).isEqualTo("reasoning.encrypted_content");
        assertThat(sent.at("/tools/0/name").asString()).isEqualTo("run");
        var answered = (ModelReply.Answered) reply;
        assertThat(answered.commands())
                .extracting(CommandCall::command)
                .containsExactly("ls -la", "echo \"ü\"");
        ask(
                endpoint(ProviderProtocol.OPENAI_RESPONSES, ReasoningStyle.EFFORT),
                WireFormat.OPENAI_RESPONSES.whole(),
                request(
                        settings(Reasoning.HIGH),
                        new ModelMessage.Said("Look."),
                        new ModelMessage.Replied("", answered.commands(), answered.thinking()),
                        new ModelMessage.Output("call_1", "a.txt"),
                        new ModelMessage.Output("call_2", "ü")));
        List<String> types = new ArrayList<>();
        sent().path("input").forEach(item -> types.add(item.path("type").asString("message")));
        assertThat(types)
                .endsWith(
                        "reasoning",
                        "function_call",
                        "function_call",
                        "function_call_output",
                        "function_call_output");
        assertThat(seen.body()).contains("gAAA+/=");
    }

    @Test
    void caching_can_be_switched_off() throws Exception {
        ask(
                endpoint(ProviderProtocol.ANTHROPIC, ReasoningStyle.NONE),
                WireFormat.ANTHROPIC.whole(),
                request(
                        new ModelSettings(1000, null, Reasoning.OFF, false),
                        new ModelMessage.Said("Look.")));
        assertThat(seen.body()).doesNotContain("cache_control");
    }

    @Test
    void anthropic_is_given_a_budget_to_think_and_its_signed_thoughts_back() throws Exception {
        String thinking =
                WireFormat.ANTHROPIC.opening().getFirst()
                        + """
                        event: content_block_start
                        data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

                        event: content_block_delta
                        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}

                        event: content_block_delta
                        data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2lnbmVk"}}

                        event: content_block_stop
                        data: {"type":"content_block_stop","index":0}

                        event: content_block_start
                        data: {"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"ZW5jcnlwdGVk"}}

                        event: content_block_stop
                        data: {"type":"content_block_stop","index":1}

                        event: content_block_start
                        data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"run","input":{}}}

                        event: content_block_delta
                        data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"command\\":\\"ls\\"}"}}

                        event: content_block_stop
                        data: {"type":"content_block_stop","index":2}

                        event: message_delta
                        data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":20}}

                        event: message_stop
                        data: {"type":"message_stop"}

                        """;
        ModelEndpoint endpoint = endpoint(ProviderProtocol.ANTHROPIC, ReasoningStyle.BUDGET);
        Answered first =
                (Answered)
                        ask(
                                endpoint,
                                thinking,
                                request(settings(Reasoning.LOW), new ModelMessage.Said("Look.")));
        assertThat(sent().at("/thinking/type").asString()).isEqualTo("enabled");
        assertThat(sent().at("/thinking/budget_tokens").asInt()).isEqualTo(2048);
        assertThat(sent().at("/max_tokens").asInt()).isEqualTo(3048);
        assertThat(sent().has("temperature")).isFalse();
        Thinking thought = first.thinking();
        assertThat(thought).isEqualTo(new Thinking("Hm.", "c2lnbmVk\nZW5jcnlwdGVk"));
        ask(
                endpoint,
                WireFormat.ANTHROPIC.whole(),
                request(
                        settings(Reasoning.LOW),
                        new ModelMessage.Said("Look."),
                        new ModelMessage.Replied(first.text(), first.commands(), thought),
                        new ModelMessage.Output("t1", "a.txt")));
        JsonNode reply = sent().at("/messages/1/content");
        assertThat(reply.path(0).path("thinking").asString()).isEqualTo("Hm.");
        assertThat(reply.path(0).path("signature").asString()).isEqualTo("c2lnbmVk");
        assertThat(reply.path(1).path("type").asString()).isEqualTo("redacted_thinking");
        assertThat(reply.path(1).path("data").asString()).isEqualTo("ZW5jcnlwdGVk");
        assertThat(reply.path(2).path("type").asString()).isEqualTo("tool_use");
    }

    @Test
    void newer_anthropic_models_are_told_an_effort() throws Exception {
        ask(
                endpoint(ProviderProtocol.ANTHROPIC, ReasoningStyle.ADAPTIVE),
                WireFormat.ANTHROPIC.whole(),
                request(settings(Reasoning.HIGH), new ModelMessage.Said("Look.")));
        assertThat(sent().at("/thinking/type").asString()).isEqualTo("adaptive");
        assertThat(sent().at("/output_config/effort").asString()).isEqualTo("high");
        assertThat(sent().has("temperature")).isFalse();
    }

    @Test
    void an_anthropic_refusal_is_told_from_a_reply() throws Exception {
        Answered answered =
                (Answered)
                        ask(
                                endpoint(ProviderProtocol.ANTHROPIC, ReasoningStyle.NONE),
                                WireFormat.ANTHROPIC.whole().replace("end_turn", "refusal"),
                                request(settings(Reasoning.OFF), new ModelMessage.Said("Look.")));
        assertThat(answered.stop()).isEqualTo(ModelReply.Stop.REFUSED);
    }

    @Test
    void openai_is_asked_for_usage_and_told_an_effort() throws Exception {
        ask(
                endpoint(ProviderProtocol.OPENAI, ReasoningStyle.EFFORT),
                WireFormat.OPENAI.whole(),
                request(settings(Reasoning.MEDIUM), new ModelMessage.Said("Look.")));
        assertThat(seen.requestLine()).startsWith("POST /v1/chat/completions ");
        assertThat(seen.headers()).containsEntry("authorization", "Bearer the-key");
        assertThat(sent().at("/stream_options/include_usage").asBoolean()).isTrue();
        assertThat(sent().at("/reasoning_effort").asString()).isEqualTo("medium");
        assertThat(sent().at("/max_completion_tokens").asInt()).isEqualTo(1000);
        assertThat(sent().has("max_tokens")).isFalse();
    }

    @Test
    void a_server_without_keys_is_sent_none() throws Exception {
        var keyless =
                new ModelEndpoint(
                        ProviderProtocol.OPENAI_COMPATIBLE,
                        "llama3.3",
                        provider.address(),
                        null,
                        true,
                        ReasoningStyle.NONE,
                        true,
                        500,
                        Duration.ofSeconds(10));
        ModelReply reply =
                ask(
                        keyless,
                        WireFormat.OPENAI.whole(),
                        request(settings(Reasoning.OFF), new ModelMessage.Said("Look.")));
        assertThat(reply).isInstanceOf(Answered.class);
        assertThat(seen.headers()).doesNotContainKey("authorization");
        assertThat(sent().at("/max_tokens").asInt()).isEqualTo(500);
        assertThat(sent().has("max_completion_tokens")).isFalse();
    }

    @Test
    void a_server_that_counts_nothing_gets_an_estimate() throws Exception {
        String uncounted = WireFormat.OPENAI.whole().replaceAll("(?m)^data: .*\"usage\".*\n\n", "");
        ModelReply reply =
                ask(
                        endpoint(ProviderProtocol.OPENAI_COMPATIBLE, ReasoningStyle.NONE),
                        uncounted,
                        request(
                                settings(Reasoning.OFF),
                                new ModelMessage.Said("Say hello, please!!!")));
        assertThat(reply.usage()).isEqualTo(new Usage(8, 3, 0, 0).atLeast());
    }

    @Test
    void a_model_without_tools_writes_its_commands_into_its_text() throws Exception {
        String text =
                "I look.\\n```bash\\nls -la\\npwd\\n```\\nand\\n```sh\\ndate\\n```\\n```json\\n{}\\n```";
        var plain =
                new ModelEndpoint(
                        ProviderProtocol.OPENAI_COMPATIBLE,
                        "old",
                        provider.address(),
                        null,
                        false,
                        ReasoningStyle.NONE,
                        true,
                        500,
                        Duration.ofSeconds(10));
        Answered answered =
                (Answered)
                        ask(
                                plain,
                                WireFormat.OPENAI.whole().replace(" world", text),
                                request(
                                        settings(Reasoning.OFF),
                                        new ModelMessage.Said("Look."),
                                        new ModelMessage.Replied(
                                                "```bash\nls\n```",
                                                List.of(new CommandCall("call-0-0", "ls")),
                                                null),
                                        new ModelMessage.Output("call-0-0", "a.txt")));
        assertThat(answered.commands())
                .containsExactly(
                        new CommandCall("call-1-0", "ls -la\npwd"),
                        new CommandCall("call-1-1", "date"));
        assertThat(sent().has("tools")).isFalse();
        assertThat(sent().at("/messages/0/content").asString()).contains("```bash");
        assertThat(sent().at("/messages/3/role").asString()).isEqualTo("user");
        assertThat(sent().at("/messages/3/content").toString()).contains("a.txt");
    }

    @Test
    void google_is_told_how_to_think_and_keeps_its_key_out_of_the_address() throws Exception {
        ask(
                endpoint(ProviderProtocol.GOOGLE, ReasoningStyle.BUDGET),
                WireFormat.GOOGLE.whole(),
                request(settings(Reasoning.LOW), new ModelMessage.Said("Look.")));
        assertThat(seen.requestLine())
                .startsWith("POST /v1/models/the-model:streamGenerateContent?alt=sse ");
        assertThat(seen.headers()).containsEntry("x-goog-api-key", "the-key");
        assertThat(sent().at("/generationConfig/thinkingConfig/thinkingBudget").asInt())
                .isEqualTo(2048);
        assertThat(sent().at("/generationConfig/maxOutputTokens").asInt()).isEqualTo(3048);
        ask(
                endpoint(ProviderProtocol.GOOGLE, ReasoningStyle.EFFORT),
                WireFormat.GOOGLE.whole(),
                request(settings(Reasoning.HIGH), new ModelMessage.Said("Look.")));
        assertThat(sent().at("/generationConfig/thinkingConfig/thinkingLevel").asString())
                .isEqualToIgnoringCase("high");
    }

    @Test
    void googles_thought_signature_goes_back_with_the_call_it_belongs_to() throws Exception {
        String signed =
                WireFormat.GOOGLE
                        .twoCalls()
                        .replaceFirst(
                                "\\{\"functionCall\"",
                                "{\"thoughtSignature\":\"c2lnbmVk\",\"functionCall\"");
        ModelEndpoint endpoint = endpoint(ProviderProtocol.GOOGLE, ReasoningStyle.EFFORT);
        Answered first =
                (Answered)
                        ask(
                                endpoint,
                                signed,
                                request(settings(Reasoning.LOW), new ModelMessage.Said("Look.")));
        assertThat(first.thinking()).isEqualTo(new Thinking("", "c2lnbmVk"));
        ask(
                endpoint,
                WireFormat.GOOGLE.whole(),
                request(
                        settings(Reasoning.LOW),
                        new ModelMessage.Said("Look."),
                        new ModelMessage.Replied(first.text(), first.commands(), first.thinking()),
                        new ModelMessage.Output(first.commands().get(0).id(), "a"),
                        new ModelMessage.Output(first.commands().get(1).id(), "b")));
        assertThat(sent().at("/contents/1/parts/0/thoughtSignature").asString())
                .isEqualTo("c2lnbmVk");
    }

    @Test
    void a_prompt_google_blocks_is_a_refusal() throws Exception {
        ModelReply reply =
                ask(
                        endpoint(ProviderProtocol.GOOGLE, ReasoningStyle.NONE),
                        "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"},\"usageMetadata\":{\"promptTokenCount\":10}}\n\n",
                        request(settings(Reasoning.OFF), new ModelMessage.Said("Look.")));
        assertThat(reply).isInstanceOf(Answered.class);
        assertThat(((Answered) reply).stop()).isEqualTo(ModelReply.Stop.REFUSED);
        assertThat(reply.usage().input()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "GOOGLE")
    void arguments_that_are_no_json_are_the_models_mistake(WireFormat wire) throws Exception {
        String broken = wire.twoCalls().replaceFirst("\\\\\"\\}\"", "\"");
        ModelEndpoint endpoint = endpoint(wire.providerProtocol, ReasoningStyle.NONE);
        ModelRequest look = request(settings(Reasoning.OFF), new ModelMessage.Said("Look."));
        Answered answered = (Answered) ask(endpoint, broken, look);
        assertThat(answered.commands().getFirst().problem())
                .startsWith("the arguments of 'run' are not JSON; call 'run'");
        String cut =
                broken.replaceAll(
                                "tool_use\"\\}|tool_calls\"\\}\\]",
                                wire == WireFormat.ANTHROPIC ? "max_tokens\"}" : "length\"}]")
                        .replace("response.completed", "response.incomplete")
                        .replace("\"completed\",\"error\"", "\"incomplete\",\"error\"");
        Answered cutOff = (Answered) ask(endpoint, cut, look);
        assertThat(cutOff.commands().getFirst().problem())
                .startsWith("your reply reached its longest before this call was whole");
    }

    @Test
    void a_call_google_itself_cannot_read_is_told_to_the_model() throws Exception {
        String unreadable =
                """
                data: {"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL","index":0}],"usageMetadata":{"promptTokenCount":100,"totalTokenCount":100}}

                """;
        Answered answered =
                (Answered)
                        ask(
                                endpoint(ProviderProtocol.GOOGLE, ReasoningStyle.NONE),
                                unreadable,
                                request(settings(Reasoning.OFF), new ModelMessage.Said("Look.")));
        assertThat(answered.commands()).hasSize(1);
        assertThat(answered.commands().getFirst().problem())
                .startsWith("your call could not be read; call 'run'");
    }
}
