package dev.skep.models.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.gateway.GatewayBench.Asked;
import dev.skep.testkit.provider.JsonText;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderCall;
import dev.skep.testkit.provider.ProviderUsage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the gateway changes in a request so that it costs no more than there is money for. */
final class BoundingCallsTest {
    private static final String IMAGE = "iVBORw0KGgo".repeat(40_000);

    @TempDir Path dir;

    private GatewayBench bench(String limit) throws Exception {
        GatewayBench bench =
                new GatewayBench(
                        dir, limit, call -> ProviderAnswer.say("x", ProviderUsage.of(500, 2)));
        bench.admit(RefusalStyle.BY_WIRE, null);
        return bench;
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void with_money_enough_not_a_byte_is_changed(Asked wire) throws Exception {
        try (GatewayBench bench = bench("50")) {
            String odd =
                    wire.ask("h\\u00e9 \\\" ü 🐝")
                            .replace(":1000", " :\t1000 ")
                            .replace("{\"role\"", "{ \n\"role\"");
            bench.post(wire.path, odd);
            assertThat(bench.provider.calls().getFirst().text()).isEqualTo(odd);
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void a_bound_above_the_money_is_lowered_and_every_other_byte_is_kept(Asked wire)
            throws Exception {
        try (GatewayBench bench = bench("0.10")) {
            String asks = wire.ask("h\\u00e9 ü 🐝").replace(":1000", " : 32000 ");
            assertThat(bench.post(wire.path, asks).statusCode()).isEqualTo(200);
            ProviderCall seen = bench.provider.calls().getFirst();
            assertThat(seen.outputAtMost()).isBetween(1_000L, 6_500L);
            assertThat(seen.text())
                    .isEqualTo(asks.replace("32000", Long.toString(seen.outputAtMost())));
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void where_no_bound_was_sent_the_models_own_is_put_in(Asked wire) throws Exception {
        try (GatewayBench bench = bench("50")) {
            String asks =
                    wire.ask("hi")
                            .replaceFirst("\"max_[a-z_]+\":1000,", "")
                            .replace("\"maxOutputTokens\":1000", "");
            bench.post(wire.path, asks);
            ProviderCall seen = bench.provider.calls().getFirst();
            assertThat(seen.outputAtMost()).isEqualTo(8_000);
            assertThat(
                            seen.text()
                                    .replaceFirst("\"max_[a-z_]+\":8000,", "")
                                    .replace("\"maxOutputTokens\":8000", ""))
                    .isEqualTo(asks);
            bench.post(wire.path, asks.replace(",\"generationConfig\":{}", ""));
            assertThat(bench.provider.calls().getLast().outputAtMost()).isEqualTo(8_000);
        }
    }

    @Test
    void thinking_is_lowered_with_the_bound_and_never_below_what_the_provider_takes()
            throws Exception {
        try (GatewayBench bench = bench("0.10")) {
            String asks =
                    Asked.ANTHROPIC
                            .ask("hi")
                            .replace(
                                    ":1000",
                                    ":32000,\"thinking\":{\"type\":\"enabled\",\"budget_tokens\":31999}");
            bench.post(Asked.ANTHROPIC.path, asks);
            ProviderCall seen = bench.provider.calls().getFirst();
            Long thinking = (Long) JsonText.at(seen.body(), "thinking", "budget_tokens");
            assertThat(thinking)
                    .isNotNull()
                    .isGreaterThanOrEqualTo(1_024)
                    .isLessThanOrEqualTo(seen.outputAtMost() - 256);
            assertThat(seen.text())
                    .isEqualTo(
                            asks.replace("31999", String.valueOf(thinking))
                                    .replace("32000", Long.toString(seen.outputAtMost())));
        }
    }

    @ParameterizedTest
    @CsvSource({"gemini,8192", "gemini,-1", "thinker,-1", "thinker,0"})
    void what_google_thinks_beside_its_bound_is_held_and_lowered_too(String model, long budget)
            throws Exception {
        try (GatewayBench bench = bench("0.10")) {
            String path = Asked.GOOGLE.path.replace("/gemini:", "/%s:".formatted(model));
            String asks =
                    Asked.GOOGLE
                            .ask("hi")
                            .replace(
                                    ":1000",
                                    ":9000,\"thinkingConfig\":{\"thinkingBudget\":%d}"
                                            .formatted(budget));
            assertThat(bench.post(path, asks).statusCode()).isEqualTo(200);
            assertThat(bench.provider.calls().getFirst().outputAtMost()).isLessThan(6_600);
            assertThat(
                            JsonText.at(
                                    bench.provider.calls().getFirst().body(),
                                    "generationConfig",
                                    "thinkingConfig",
                                    "thinkingBudget"))
                    .isNotEqualTo(-1L);
            bench.post(path, "{\"contents\":[]}");
            assertThat(bench.provider.calls().getLast().outputAtMost()).isLessThan(6_600);
        }
    }

    @Test
    void several_answers_are_paid_for_together() throws Exception {
        try (GatewayBench bench = bench("0.10")) {
            bench.post(Asked.CHAT.path, Asked.CHAT.ask("hi").replace(":1000", ":32000,\"n\":4"));
            assertThat(bench.provider.calls().getFirst().outputAtMost()).isBetween(500L, 1_600L);
        }
    }

    @Test
    void a_dearer_tier_is_in_what_is_held_and_in_what_is_booked() throws Exception {
        try (GatewayBench bench = bench("0.20")) {
            bench.post(
                    Asked.CHAT.path,
                    Asked.CHAT.ask("hi").replace(":1000", ":32000,\"service_tier\":\"priority\""));
            // 2.5 times 15 dollars a million, and half of the money
            assertThat(bench.provider.calls().getFirst().outputAtMost()).isLessThan(5_000);
            assertThat(bench.booked()).isEqualTo(3_825);
        }
    }

    @Test
    void an_hour_in_the_cache_is_held_and_booked_at_its_price() throws Exception {
        try (GatewayBench bench = bench("5")) {
            bench.provider.follow(
                    _ -> ProviderAnswer.say("x", new ProviderUsage(0, 0, 1_000_000, 0)));
            String asks =
                    Asked.ANTHROPIC
                            .ask("hi")
                            .replace(
                                    "{\"model\"",
                                    "{\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"},\"model\"")
                            .replace("claude", "free");
            assertThat(bench.post(Asked.ANTHROPIC.path, asks).statusCode()).isEqualTo(200);
            bench.post(Asked.ANTHROPIC.path, asks.replace("free", "claude"));
            // A million is beyond the length up to which prices hold: twice 6 dollars, and one
            // token of output.
            assertThat(bench.booked()).isEqualTo(12_000_023);
        }
    }

    @Test
    void an_image_counts_as_an_image_and_not_as_a_text_of_its_bytes() throws Exception {
        try (GatewayBench bench = bench("0.60")) {
            for (Asked wire : Asked.values()) {
                String image =
                        switch (wire) {
                            case ANTHROPIC ->
                                    "[{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"%s\"}}]";
                            case CHAT ->
                                    "[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,%s\"}}]";
                            case RESPONSES ->
                                    "[{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,%s\"}]";
                            case GOOGLE ->
                                    "{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"%s\"}}";
                        };
                String asks =
                        wire.ask("hi")
                                .replace(
                                        wire == Asked.GOOGLE ? "{\"text\":\"hi\"}" : "\"hi\"",
                                        image.formatted(IMAGE));
                assertThat(bench.post(wire.path, asks).statusCode()).as("%s", wire).isEqualTo(200);
                assertThat(bench.provider.calls().getLast().text()).contains(IMAGE);
            }
            // The same bytes as text cost more than there is.
            assertThat(bench.post(Asked.CHAT.path, Asked.CHAT.ask(IMAGE)).statusCode())
                    .isEqualTo(402);
        }
    }

    @ParameterizedTest
    @EnumSource(Asked.class)
    void what_was_counted_for_the_same_beginning_holds_for_the_next_call(Asked wire)
            throws Exception {
        try (GatewayBench bench = bench("0.40")) {
            String large = wire.ask("x".repeat(60_000)).replace(":1000", ":20000");
            assertThat(bench.post(wire.path, large).statusCode()).isEqualTo(200);
            long before = bench.provider.calls().getLast().outputAtMost();
            assertThat(before).isLessThan(6_000);
            String entry =
                    switch (wire) {
                        case ANTHROPIC, CHAT, RESPONSES ->
                                "{\"role\":\"user\",\"content\":\"more\"}";
                        case GOOGLE -> "{\"role\":\"user\",\"parts\":[{\"text\":\"more\"}]}";
                    };
            String goesOn = large.replaceFirst("x(\"(?:}])?)}]", "x$1}," + entry + "]");
            assertThat(goesOn).isNotEqualTo(large);
            bench.post(wire.path, goesOn);
            // 500 tokens were counted, so that nearly half of the money is there for the output.
            assertThat(bench.provider.calls().getLast().outputAtMost()).isGreaterThan(10_000);
            bench.post(wire.path, goesOn.replaceFirst("xxx", "yxx"));
            assertThat(bench.provider.calls().getLast().outputAtMost()).isLessThan(6_000);
        }
    }

    @Test
    void a_call_leaves_room_for_those_beside_it() throws Exception {
        try (GatewayBench bench = bench("1")) {
            bench.post(Asked.CHAT.path, Asked.CHAT.ask("hi").replace(":1000", ":100000"));
            assertThat(bench.provider.calls().getFirst().outputAtMost())
                    .isBetween(30_000L, 34_000L);
        }
    }

    @Test
    void bounds_are_added_to_what_is_empty_null_or_missing() throws Exception {
        try (GatewayBench bench = bench("50")) {
            for (String asks :
                    List.of(
                            "{\"model\":\"claude\"}",
                            "{ \"model\" : \"claude\" }",
                            "{\"model\":\"claude\",\"max_tokens\":null}")) {
                bench.post(Asked.ANTHROPIC.path, asks);
                assertThat(bench.provider.calls().getLast().outputAtMost()).isEqualTo(8_000);
            }
            for (String asks :
                    List.of(
                            "{}",
                            "{ }",
                            "{\"generationConfig\":null}",
                            "{\"generationConfig\":{ }}")) {
                bench.post(Asked.GOOGLE.path, asks);
                assertThat(bench.provider.calls().getLast().outputAtMost()).isEqualTo(8_000);
            }
        }
    }
}
