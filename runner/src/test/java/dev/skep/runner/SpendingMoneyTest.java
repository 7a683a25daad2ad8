package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.skep.agents.cost.CostSummary;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.AgentId;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.OpenCall;
import dev.skep.models.money.OpenCallStore;
import dev.skep.models.money.SpendLimit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpendingMoneyTest {
    /** A dollar for a million tokens: 10,000 tokens are a cent. */
    private static final Prices DOLLAR = new Prices(1_000_000, 1_000_000, 1_000_000, 1_000_000);

    @TempDir Path dir;

    @Test
    void an_agent_stops_before_the_call_that_could_pass_its_limit() throws InterruptedException {
        TestRunner.agent(
                dir, "alice", "prompt: x\nmodel: m\nspend_limit: 0.05\nmax_output_tokens: 10000\n");
        PlayedModels models = spender();
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is OVER_BUDGET", "$0.05 per day");
            // Full replies while there is money for them, then shorter ones.
            assertThat(models.requests).hasSizeGreaterThan(3);
            assertThat(models.requests.getFirst().outputAtMost()).isEqualTo(10_000);
            assertThat(models.requests.getLast().outputAtMost()).isLessThan(9_000);
            assertThat(spent(test)).isBetween(40_000L, 50_000L);
        }
        PlayedModels later = spender();
        try (TestRunner test = TestRunner.start(dir, later)) {
            test.recorder.await("alice is OVER_BUDGET");
            assertThat(spent(test)).isLessThanOrEqualTo(50_000);
        }
    }

    @Test
    void all_agents_together_stay_below_the_total() throws InterruptedException {
        for (String name : List.of("a", "b", "c")) {
            TestRunner.agent(dir, name, "prompt: x\nmodel: m\nmax_output_tokens: 10000\n");
        }
        SpendLimit limit = new SpendLimit(new Dollars(100_000), Duration.ofHours(1));
        try (TestRunner test = TestRunner.start(dir, spender(), Map.of(), limit)) {
            test.recorder.await("a is OVER_BUDGET", "all agents");
            test.recorder.await("b is OVER_BUDGET", "all agents");
            test.recorder.await("c is OVER_BUDGET", "all agents");
            assertThat(spent(test)).isBetween(70_000L, 100_000L);
        }
    }

    @Test
    void money_comes_back_when_spending_leaves_the_window() throws InterruptedException {
        TestRunner.agent(
                dir,
                "alice",
                "prompt: x\nmodel: m\nspend_limit: 0.03\nspend_window: 2s\nmax_output_tokens: 10000\n");
        try (TestRunner test = TestRunner.start(dir, spender())) {
            test.recorder.await("alice is OVER_BUDGET");
            long before = spent(test);
            test.recorder.await(2, "alice is OVER_BUDGET");
            assertThat(spent(test)).isGreaterThan(before);
        }
    }

    @Test
    void a_model_whose_price_nobody_knows_is_not_asked_under_a_limit() throws Exception {
        TestRunner.agent(dir, "own", "prompt: x\nmodel: m\nspend_limit: 1.00\n");
        TestRunner.agent(dir, "free", "prompt: x\nmodel: m\n");
        PlayedModels models = new PlayedModels().model("m", PlayedModels.commands()).unpriced("m");
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("own is FAILED", "model m has no price", "models.yaml");
            assertThat(test.runner.start("own", null).message()).contains("has no price");
            test.recorder.await("free is WAITING");
            assertThat(models.requests).hasSize(1);
        }
        SpendLimit all = new SpendLimit(new Dollars(1_000_000), Duration.ofHours(1));
        try (TestRunner test = TestRunner.start(dir, models, Map.of(), all)) {
            test.recorder.await("free is FAILED", "model m has no price");
            assertThat(models.requests).hasSize(1);
        }
    }

    @Test
    void a_price_that_is_lost_ends_the_calls_of_who_has_a_limit() throws Exception {
        TestRunner.agent(dir, "alice", "prompt: x\nmodel: m\nspend_limit: 1.00\n");
        PlayedModels models = new PlayedModels();
        models.model(
                "m",
                DOLLAR,
                request -> {
                    models.unpriced("m");
                    return PlayedModels.answer(List.of("echo once"));
                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is OVER_BUDGET", "model m has no price");
            assertThat(models.requests).hasSize(1);
        }
    }

    @Test
    void a_check_of_the_files_finds_a_limit_that_no_price_can_hold() throws Exception {
        TestRunner.agent(dir, "own", "prompt: x\nmodel: dear\nspend_limit: 1.00\n");
        TestRunner.agent(dir, "zero", "prompt: x\nmodel: gift\nspend_limit: 1.00\n");
        TestRunner.agent(dir, "local", "prompt: x\nmodel: here\nspend_limit: 1.00\n");
        TestRunner.agent(dir, "free", "prompt: x\nmodel: dear\n");
        Files.writeString(
                dir.resolve("models.yaml"),
                """
                models:
                  - { name: dear, provider: openai, context_tokens: 1000 }
                  - { name: gift, provider: openai, context_tokens: 1000, prices: { input: 0, output: 0 } }
                  - { name: here, provider: openai_compatible, url: "http://127.0.0.1:1/v1", context_tokens: 1000 }
                """);
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            assertThat(test.runner.agentService().problems())
                    .singleElement()
                    .asString()
                    .contains("own.yaml:2", "model dear has no price", "models.yaml");
        }
        SpendLimit all = new SpendLimit(new Dollars(1_000_000), Duration.ofHours(1));
        try (TestRunner test = TestRunner.start(dir, new PlayedModels(), Map.of(), all)) {
            assertThat(test.runner.agentService().problems()).hasSize(2);
        }
    }

    @Test
    void a_call_a_crash_cut_off_counts_as_spent() {
        AgentId agent = new AgentId("01ARZ3NDEKTSV4RRFFQ69G5FAV");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            new OpenCallStore(test.database)
                    .begin(
                            test.host.principal(),
                            new OpenCall(
                                    "01ARZ3NDEKTSV4RRFFQ69G5FAW",
                                    new SessionKey(agent, "01ARZ3NDEKTSV4RRFFQ69G5FAX", 1),
                                    "m",
                                    "turn",
                                    12_345,
                                    TestRunner.CLOCK.instant()),
                            _ -> {});
        }
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            assertThat(
                            test.runner
                                    .stores()
                                    .costs()
                                    .summarize(
                                            test.host.principal(),
                                            CostSummary.By.SOURCE,
                                            null,
                                            null))
                    .extracting(CostSummary::group, CostSummary::micros)
                    .containsExactly(tuple("interrupted", 12_345L));
        }
    }

    private static PlayedModels spender() {
        int[] turn = new int[1];
        return new PlayedModels()
                .model(
                        "m",
                        DOLLAR,
                        request ->
                                PlayedModels.answer(
                                        List.of("echo " + turn[0]++),
                                        new Usage(
                                                100,
                                                Math.min(9_900, request.outputAtMost()),
                                                0,
                                                0)));
    }

    private static long spent(TestRunner test) {
        return test
                .runner
                .stores()
                .costs()
                .summarize(test.host.principal(), CostSummary.By.MODEL, null, null)
                .stream()
                .mapToLong(CostSummary::micros)
                .sum();
    }
}
