package dev.skep.models.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.gateway.GatewayBench.Asked;
import dev.skep.testkit.provider.JsonText;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderCall;
import dev.skep.testkit.provider.ProviderScript;
import dev.skep.testkit.provider.ProviderUsage;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program asks through the gateway, and what it and the provider see of it. */
final class PassingCallsOnTest {
    private static final ProviderUsage USED = new ProviderUsage(100, 40, 0, 20);

    @TempDir Path dir;

    private GatewayBench bench(String limit, ProviderScript script) throws Exception {
        GatewayBench bench = new GatewayBench(dir, limit, script);
        bench.admit(RefusalStyle.BY_WIRE, null);
        return bench;
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void a_stream_comes_through_as_it_is_and_what_it_cost_is_booked(Asked wire) throws Exception {
        ProviderAnswer answer = ProviderAnswer.say("Hello big world", USED);
        try (GatewayBench bench = bench("5", _ -> answer)) {
            HttpResponse<String> got = bench.post(wire.path, wire.ask("hi"));
            assertThat(got.statusCode()).isEqualTo(200);
            assertThat(got.body()).contains("Hello ", "big ", "world");
            // 100 fresh, 40 cached and 20 written tokens at 3, 0.30 and 15 dollars a million.
            assertThat(bench.booked()).isEqualTo(612);
            assertThat(bench.openCalls()).isZero();
            assertThat(bench.listener.booked)
                    .singleElement()
                    .satisfies(
                            cost -> {
                                assertThat(cost.source()).isEqualTo("turn");
                                assertThat(cost.model()).isEqualTo(wire.model);
                                assertThat(cost.inputTokens()).isEqualTo(100);
                                assertThat(cost.cacheReadTokens()).isEqualTo(40);
                                assertThat(cost.outputTokens()).isEqualTo(20);
                            });
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void an_answer_that_does_not_stream_is_booked_too(Asked wire) throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            String path = wire.path.replace("streamGenerateContent?alt=sse", "generateContent");
            HttpResponse<String> got = bench.post(path, wire.bare("hi"));
            assertThat(got.body()).contains("Hello");
            assertThat(bench.booked()).isEqualTo(612);
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void the_provider_sees_its_key_and_the_program_never_does(Asked wire) throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            HttpResponse<String> got = bench.post(wire.path, wire.ask("hi"));
            ProviderCall seen = bench.provider.calls().getFirst();
            assertThat(seen.headers().toString())
                    .contains(GatewayBench.KEY)
                    .doesNotContain(GatewayBench.TOKEN);
            assertThat(got.body() + got.headers()).doesNotContain(GatewayBench.KEY);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 404, 429, 500, 529})
    void an_error_of_the_provider_passes_without_its_key_and_costs_nothing(int status)
            throws Exception {
        String words =
                "{\"error\":{\"message\":\"not with %s nor sk-other-123456789\"}}"
                        .formatted(GatewayBench.KEY);
        ProviderAnswer answer =
                new ProviderAnswer.Plain(
                        status, Map.of("retry-after", "7", "x-note", GatewayBench.KEY), words);
        try (GatewayBench bench = bench("5", _ -> answer)) {
            HttpResponse<String> got = bench.post(Asked.ANTHROPIC.path, Asked.ANTHROPIC.ask("hi"));
            assertThat(got.statusCode()).isEqualTo(status);
            assertThat(got.headers().firstValue("retry-after")).contains("7");
            assertThat(got.body()).contains("not with").doesNotContain("sk-");
            assertThat(got.headers().toString()).doesNotContain(GatewayBench.KEY);
            assertThat(bench.booked()).isZero();
            assertThat(bench.openCalls()).isZero();
            assertThat(bench.budget.left(bench.agent)).hasValue(5_000_000);
        }
    }

    @Test
    void a_key_that_the_provider_refuses_ends_the_turn_instead_of_asking_for_another_token()
            throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.fail(401, "{}"))) {
            HttpResponse<String> got = bench.post(Asked.ANTHROPIC.path, Asked.ANTHROPIC.ask("hi"));
            assertThat(got.statusCode()).isEqualTo(402);
            assertThat(got.body()).contains("put the right one into .env");
            assertThat(bench.booked()).isZero();
        }
    }

    @Test
    void a_provider_that_cannot_be_reached_costs_nothing() throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("x", USED))) {
            bench.provider.close();
            HttpResponse<String> got = bench.post(Asked.ANTHROPIC.path, Asked.ANTHROPIC.ask("hi"));
            assertThat(got.statusCode()).isEqualTo(502);
            assertThat(bench.booked()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"x-api-key,%s", "authorization,Bearer %s", "x-goog-api-key,%s"})
    void the_token_is_taken_from_each_header_that_programs_use(String name, String form)
            throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            for (String token : List.of(GatewayBench.TOKEN, "agent-token-2", "")) {
                HttpRequest request =
                        HttpRequest.newBuilder(
                                        URI.create(bench.server.address() + Asked.ANTHROPIC.path))
                                .header(name, form.formatted(token))
                                .POST(
                                        HttpRequest.BodyPublishers.ofString(
                                                Asked.ANTHROPIC.ask("hi")))
                                .build();
                HttpResponse<String> got =
                        bench.http.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(got.statusCode())
                        .isEqualTo(token.equals(GatewayBench.TOKEN) ? 200 : 401);
            }
            assertThat(bench.provider.calls()).hasSize(1);
        }
    }

    @Test
    void a_stranger_is_told_so_in_words_of_the_wire_and_not_to_try_again() throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            bench.gateway.dismiss(GatewayBench.TOKEN);
            for (Asked wire : Asked.values()) {
                HttpResponse<String> got = bench.post(wire.path, wire.ask("hi"));
                assertThat(got.statusCode()).isEqualTo(401);
                assertThat(got.headers().firstValue("x-should-retry")).contains("false");
                assertThat(JsonText.at(JsonText.read(got.body()), "error", "message"))
                        .asString()
                        .contains("token is not valid");
            }
            assertThat(bench.provider.calls()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/gateway/anthropic/v1/complete",
                "/gateway/anthropic/v1/files",
                "/gateway/anthropic/v1/messages/batches",
                "/gateway/openai/v1/embeddings",
                "/gateway/openai/v1/responses/compact",
                "/gateway/openai/v1/responses/resp_1",
                "/gateway/google/v1beta/models/gemini:embedContent",
                "/gateway/google/v1beta/cachedContents",
                "/gateway/google/v1beta/models/../files:generateContent",
                "/gateway/anthropic/v1/messages/",
                "/gateway"
            })
    void a_path_that_is_not_listed_is_not_there(String path) throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            assertThat(bench.post(path, Asked.ANTHROPIC.ask("hi")).statusCode()).isEqualTo(404);
            assertThat(bench.provider.calls()).isEmpty();
        }
    }

    @Test
    void counting_tokens_and_listing_models_costs_nothing() throws Exception {
        try (GatewayBench bench = bench("0.000001", _ -> ProviderAnswer.say("Hello", USED))) {
            bench.admit(RefusalStyle.BY_WIRE, "named");
            HttpResponse<String> counted =
                    bench.post(
                            "/gateway/anthropic/v1/messages/count_tokens",
                            "{\"model\":\"named\",\"messages\":[]}");
            assertThat(counted.body()).startsWith("{\"input_tokens\":");
            assertThat(bench.provider.calls().getFirst().model()).isEqualTo("their-name");
            assertThat(
                            bench.post(
                                            "/gateway/google/v1beta/models/gemini:countTokens",
                                            "{\"contents\":[]}")
                                    .body())
                    .startsWith("{\"totalTokens\":");
            HttpRequest list = bench.request("/gateway/anthropic/v1/models", "").GET().build();
            assertThat(bench.http.send(list, HttpResponse.BodyHandlers.ofString()).body())
                    .contains("\"id\":\"named\"");
            assertThat(bench.booked()).isZero();
        }
    }

    @Test
    void the_model_has_the_name_that_its_provider_knows() throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            bench.post(Asked.ANTHROPIC.path, Asked.ANTHROPIC.ask("hi").replace("claude", "named"));
            bench.post(
                    Asked.ANTHROPIC.path,
                    Asked.ANTHROPIC.ask("hi").replace("claude", "their-name"));
            assertThat(bench.provider.calls())
                    .allSatisfy(call -> assertThat(call.model()).isEqualTo("their-name"));
            assertThat(bench.listener.booked)
                    .hasSize(2)
                    .allSatisfy(cost -> assertThat(cost.model()).isEqualTo("named"));
        }
    }

    @Test
    void a_model_of_the_programs_own_choice_becomes_the_agents_own() throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello", USED))) {
            bench.admit(RefusalStyle.BY_WIRE, "claude");
            bench.post(
                    Asked.ANTHROPIC.path,
                    Asked.ANTHROPIC.ask("hi").replace("\"claude\"", "\"claude-title-9\""));
            assertThat(bench.provider.calls().getFirst().model()).isEqualTo("claude");
        }
    }

    @Test
    void pieces_arrive_as_they_are_written_and_not_at_the_end() throws Exception {
        ProviderAnswer slow =
                new ProviderAnswer.Reply(
                        "one two three four five", List.of(), USED, Duration.ofMillis(60));
        try (GatewayBench bench = bench("5", _ -> slow)) {
            long begun = System.nanoTime();
            long first;
            try (var in = bench.open(Asked.CHAT.path, Asked.CHAT.ask("hi")).body()) {
                assertThat(in.read()).isNotNegative();
                first = System.nanoTime() - begun;
                in.readAllBytes();
            }
            long all = System.nanoTime() - begun;
            assertThat(all - first).isGreaterThan(Duration.ofMillis(250).toNanos());
        }
    }

    @Test
    void usage_is_asked_for_and_not_shown_to_a_program_that_did_not_ask() throws Exception {
        try (GatewayBench bench = bench("5", _ -> ProviderAnswer.say("Hello big world", USED))) {
            String asks = Asked.CHAT.ask("hi");
            String asked = bench.post(Asked.CHAT.path, asks).body();
            assertThat(asked).contains("\"usage\"").endsWith("data: [DONE]\n\n");
            for (String changed :
                    List.of(
                            asks.replace("\"stream_options\":{\"include_usage\":true},", ""),
                            asks.replace("\"include_usage\":true", "\"include_usage\":false"),
                            asks.replace("\"include_usage\":true", "\"other\":1"),
                            asks.replace("{\"include_usage\":true}", "null"))) {
                String got = bench.post(Asked.CHAT.path, changed).body();
                assertThat(got)
                        .contains("Hello ", "world")
                        .doesNotContain("\"usage\"")
                        .endsWith("data: [DONE]\n\n");
            }
            assertThat(bench.booked()).isEqualTo(5 * 612);
        }
    }
}
