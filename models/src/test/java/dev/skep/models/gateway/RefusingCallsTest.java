package dev.skep.models.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.gateway.GatewayBench.Asked;
import dev.skep.testkit.provider.JsonText;
import dev.skep.testkit.provider.ProviderAnswer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that may not leave, and the form in which programs learn it. */
final class RefusingCallsTest {
    private static final String IMAGE = "iVBORw0KGgo";

    @TempDir Path dir;

    private GatewayBench bench(String limit, RefusalStyle form) throws Exception {
        GatewayBench bench = new GatewayBench(dir, limit, _ -> ProviderAnswer.say("Hello"));
        bench.admit(form, null);
        return bench;
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void without_the_money_nothing_leaves_and_the_form_is_the_one_that_ends_a_turn(Asked wire)
            throws Exception {
        try (GatewayBench bench = bench("0.001", RefusalStyle.BY_WIRE)) {
            HttpResponse<String> got = bench.post(wire.path, wire.ask("hi"));
            String why = "this agent's limit is $0.001 per hour; $0.00 is spent";
            switch (wire) {
                case ANTHROPIC -> {
                    assertThat(got.statusCode()).isEqualTo(402);
                    assertThat(json(got, "type")).isEqualTo("error");
                    assertThat(json(got, "error", "type")).isEqualTo("billing_error");
                    assertThat(json(got, "error", "message")).asString().contains(why);
                }
                case CHAT -> {
                    assertThat(got.statusCode()).isEqualTo(402);
                    assertThat(json(got, "error", "message")).asString().contains(why);
                }
                case RESPONSES -> {
                    assertThat(got.statusCode()).isEqualTo(400);
                    assertThat(got.headers().firstValue("content-type").orElseThrow())
                            .startsWith("text/plain");
                    assertThat(got.body()).startsWith("Skep refused this call: ").contains(why);
                }
                case GOOGLE -> {
                    assertThat(got.statusCode()).isEqualTo(403);
                    assertThat(json(got, "error", "status")).isEqualTo("PERMISSION_DENIED");
                    assertThat(json(got, "error", "message")).asString().contains(why);
                }
            }
            assertThat(got.headers().firstValue("x-should-retry")).contains("false");
            assertThat(bench.provider.calls()).isEmpty();
            assertThat(bench.listener.refused)
                    .singleElement()
                    .satisfies(told -> assertThat(told).startsWith(why));
            assertThat(bench.booked()).isZero();
            assertThat(bench.openCalls()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void programs_that_show_no_errors_get_the_reason_as_their_answer(Asked wire) throws Exception {
        String why = "Skep refused this call: this agent's limit is $0.001";
        try (GatewayBench bench = bench("0.001", RefusalStyle.ANSWER)) {
            HttpResponse<String> streamed = bench.post(wire.path, wire.ask("hi"));
            assertThat(streamed.statusCode()).isEqualTo(200);
            assertThat(streamed.headers().firstValue("content-type").orElseThrow())
                    .startsWith("text/event-stream");
            assertThat(streamed.body()).contains(why);
            streamed.body()
                    .lines()
                    .filter(line -> line.startsWith("data: {"))
                    .forEach(line -> JsonText.read(line.substring("data: ".length())));

            String path = wire.path.replace("streamGenerateContent?alt=sse", "generateContent");
            HttpResponse<String> whole = bench.post(path, wire.bare("hi"));
            assertThat(whole.statusCode()).isEqualTo(200);
            @Nullable Object said =
                    switch (wire) {
                        case ANTHROPIC -> json(whole, "content", 0, "text");
                        case CHAT -> json(whole, "choices", 0, "message", "content");
                        case RESPONSES -> json(whole, "output", 0, "content", 0, "text");
                        case GOOGLE -> json(whole, "candidates", 0, "content", "parts", 0, "text");
                    };
            assertThat(said).asString().startsWith(why);
            assertThat(bench.provider.calls()).isEmpty();
        }
    }

    @Test
    void what_has_no_price_is_refused_while_there_is_a_limit() throws Exception {
        try (GatewayBench bench = bench("5", RefusalStyle.BY_WIRE)) {
            String asks = Asked.ANTHROPIC.ask("hi").replace("claude", "unpriced");
            assertThat(bench.post(Asked.ANTHROPIC.path, asks).body()).contains("has no price");
            assertThat(bench.provider.calls()).isEmpty();
            bench.budget.limit(bench.agent, null);
            assertThat(bench.post(Asked.ANTHROPIC.path, asks).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void what_costs_nothing_needs_no_money() throws Exception {
        try (GatewayBench bench = bench("0", RefusalStyle.BY_WIRE)) {
            String asks = Asked.ANTHROPIC.ask("hi").replace("claude", "free");
            assertThat(bench.post(Asked.ANTHROPIC.path, asks).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void a_model_that_is_not_known_or_has_no_key_is_named() throws Exception {
        try (GatewayBench bench = bench("5", RefusalStyle.BY_WIRE)) {
            String asks = Asked.ANTHROPIC.ask("hi");
            assertThat(bench.post(Asked.ANTHROPIC.path, asks.replace("claude", "gpt")).body())
                    .contains("model gpt is not in the models table");
            assertThat(bench.post(Asked.ANTHROPIC.path, asks.replace("claude", "keyless")).body())
                    .contains("put NO_SUCH_KEY=… into .env");
            assertThat(bench.provider.calls()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"container\":\"c1\"",
                "\"mcp_servers\":[{\"type\":\"url\",\"url\":\"http://x\"}]",
                "\"service_tier\":\"priority\"",
                "\"speed\":\"fast\"",
                "\"tools\":[{\"type\":\"web_search_20250305\",\"name\":\"web_search\"}]",
                "\"tools\":[{\"name\":\"mine\"},{\"type\":\"code_execution_20250825\",\"name\":\"x\"}]",
                "\"context_management\":{\"edits\":[{\"type\":\"compact_20260112\"}]}",
                "\"system\":[{\"type\":\"document\",\"source\":{\"type\":\"base64\",\"data\":\"AAAA\"}}]",
                "\"system\":[{\"type\":\"document\",\"source\":{\"type\":\"url\",\"url\":\"http://x\"}}]",
                "\"system\":[{\"type\":\"image\",\"source\":{\"type\":\"file\",\"file_id\":\"f\"}}]",
                "\"system\":[{\"type\":\"tool_result\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"url\"}}]}]",
                "\"Max_Tokens\":9",
                "\"max_tokens\":9"
            })
    void anthropic_is_not_asked_for_what_costs_outside_the_request(String member) throws Exception {
        refused(Asked.ANTHROPIC, member);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"web_search_options\":{\"a\":1}",
                "\"prediction\":{\"type\":\"content\"}",
                "\"modalities\":[\"text\",\"audio\"]",
                "\"models\":[\"dear/model\"]",
                "\"plugins\":[{\"id\":\"web\"}]",
                "\"best_of\":4",
                "\"n\":1000",
                "\"n\":\"4\"",
                "\"N\":4",
                "\"service_tier\":\"scale\"",
                "\"tools\":[{\"type\":\"web_search\"}]",
                "\"max_tokens\":\"many\"",
                "\"max_tokens\":-1"
            })
    void chat_is_not_asked_for_what_costs_outside_the_request(String member) throws Exception {
        refused(Asked.CHAT, member.replace("max_tokens", "max_completion_tokens"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://example.org/a.png\"}}",
                "{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:application/pdf;base64,AAAA\"}}",
                "{\"type\":\"input_audio\",\"input_audio\":{\"data\":\"AAAA\"}}",
                "{\"type\":\"file\",\"file\":{\"file_id\":\"f\"}}",
                "{\"type\":\"video_url\",\"video_url\":{\"url\":\"data:video/mp4;base64,AAAA\"}}"
            })
    void chat_takes_no_files_and_addresses(String part) throws Exception {
        String asks =
                Asked.CHAT.ask("hi").replace("\"content\":\"hi\"", "\"content\":[" + part + "]");
        refusedBody(Asked.CHAT, asks);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"previous_response_id\":\"resp_1\"",
                "\"conversation\":{\"id\":\"c\"}",
                "\"background\":true",
                "\"prompt\":{\"id\":\"p\"}",
                "\"tools\":[{\"type\":\"web_search\"}]",
                "\"tools\":[{\"type\":\"mcp\",\"server_url\":\"http://x\"}]",
                "\"tools\":[{\"type\":\"namespace\",\"tools\":[{\"type\":\"image_generation\"}]}]",
                "\"tools\":[{\"type\":\"shell\",\"environment\":{\"type\":\"container_auto\"}}]"
            })
    void responses_is_not_asked_for_what_costs_outside_the_request(String member) throws Exception {
        refused(Asked.RESPONSES, member);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"item_reference\",\"id\":\"i\"}",
                "{\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"file_id\":\"f\"}]}",
                "{\"role\":\"user\",\"content\":[{\"type\":\"input_image\",\"image_url\":\"https://x/a.png\"}]}",
                "{\"role\":\"user\",\"content\":[{\"type\":\"input_file\",\"file_data\":\"AAAA\"}]}",
                "{\"type\":\"function_call_output\",\"output\":[{\"type\":\"input_file\",\"file_url\":\"http://x\"}]}"
            })
    void responses_takes_no_files_and_references(String item) throws Exception {
        String asks = Asked.RESPONSES.ask("hi").replace("\"input\":[", "\"input\":[" + item + ",");
        refusedBody(Asked.RESPONSES, asks);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"cachedContent\":\"cachedContents/1\"",
                "\"cached_content\":\"cachedContents/1\"",
                "\"tools\":[{\"googleSearch\":{}}]",
                "\"tools\":[{\"functionDeclarations\":[]},{\"codeExecution\":{}}]",
                "\"serviceTier\":\"priority\"",
                "\"generation_config\":{\"maxOutputTokens\":100000}",
                "\"systemInstruction\":{\"parts\":[{\"fileData\":{\"fileUri\":\"files/1\"}}]}",
                "\"systemInstruction\":{\"parts\":[{\"file_data\":{\"fileUri\":\"files/1\"}}]}",
                "\"systemInstruction\":{\"parts\":[{\"inlineData\":{\"mimeType\":\"audio/wav\",\"data\":\"AAAA\"}}]}",
                "\"systemInstruction\":{\"parts\":[{\"inline_data\":{\"mime_type\":\"application/pdf\",\"data\":\"AAAA\"}}]}"
            })
    void google_is_not_asked_for_what_costs_outside_the_request(String member) throws Exception {
        refused(Asked.GOOGLE, member);
    }

    private void refused(Asked wire, String member) throws Exception {
        refusedBody(wire, "{" + member + "," + wire.ask("hi").substring(1));
    }

    private void refusedBody(Asked wire, String body) throws Exception {
        try (GatewayBench bench = bench("5", RefusalStyle.BY_WIRE)) {
            assertThat(bench.post(wire.path, wire.ask("hi")).statusCode()).isEqualTo(200);
            int before = bench.provider.calls().size();
            HttpResponse<String> got = bench.post(wire.path, body);
            assertThat(got.statusCode()).as(got.body()).isIn(400, 402, 403);
            assertThat(got.body()).contains("Skep refused this call");
            assertThat(bench.provider.calls()).hasSize(before);
            assertThat(bench.listener.refused).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void what_programs_do_send_is_not_refused(Asked wire) throws Exception {
        String member =
                switch (wire) {
                    case ANTHROPIC ->
                            "\"metadata\":{\"user_id\":\"u\"},\"system\":[{\"type\":\"text\",\"text\":\"s\",\"cache_control\":{\"type\":\"ephemeral\"}},{\"type\":\"tool_result\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"%s\"}}]}],\"tools\":[{\"name\":\"a\",\"input_schema\":{}},{\"type\":\"bash_20250124\",\"name\":\"bash\"}],\"context_management\":{\"edits\":[{\"type\":\"clear_thinking_20251015\"}]}"
                                    .formatted(IMAGE);
                    case CHAT ->
                            "\"store\":false,\"tools\":[{\"type\":\"function\",\"function\":{}}],\"n\":2,\"tool_choice\":\"auto\"";
                    case RESPONSES ->
                            "\"include\":[\"reasoning.encrypted_content\"],\"background\":false,\"previous_response_id\":null,\"tools\":[{\"type\":\"function\"},{\"type\":\"custom\"}],\"instructions\":\"be good\"";
                    case GOOGLE ->
                            "\"tools\":[{\"functionDeclarations\":[{\"name\":\"a\"}]}],\"toolConfig\":{},\"systemInstruction\":{\"parts\":[{\"text\":\"s\"},{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"%s\"}}]}"
                                    .formatted(IMAGE);
                };
        try (GatewayBench bench = bench("5", RefusalStyle.BY_WIRE)) {
            HttpResponse<String> got =
                    bench.post(wire.path, "{" + member + "," + wire.ask("hi").substring(1));
            assertThat(got.statusCode()).as(got.body()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "\"x\"", "{\"model\":\"claude\"} {}", "﻿{}"})
    void a_body_that_is_not_one_object_never_leaves(String body) throws Exception {
        try (GatewayBench bench = bench("5", RefusalStyle.BY_WIRE)) {
            HttpResponse<String> got = bench.post(Asked.ANTHROPIC.path, body);
            assertThat(got.statusCode()).isEqualTo(402);
            assertThat(bench.provider.calls()).isEmpty();
        }
    }

    private static @Nullable Object json(HttpResponse<String> got, Object... path) {
        return JsonText.at(JsonText.read(got.body()), path);
    }
}
