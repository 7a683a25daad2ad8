package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.cost.CostSummary;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What runtimes spend goes through the gateway, and stops before the limit. */
class ManagedMoneyTest {
    private static final int MOST_CALLS = 20;

    @TempDir Path dir;

    private final FakeProvider provider =
            new FakeProvider(_ -> ProviderAnswer.say("Hello", new ProviderUsage(100, 40, 0, 20)));

    @BeforeEach
    void a_runtime_and_a_model() throws IOException {
        ManagedFixture.runtime(dir, "fixture");
        Files.writeString(
                dir.resolve("models.yaml"),
                """
                models:
                  - name: claude
                    provider: anthropic
                    url: %s/v1
                    key: REAL_KEY
                    context_tokens: 200000
                    prices: { input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 }
                """
                        .formatted(provider.address()));
    }

    @AfterEach
    void close() {
        provider.close();
    }

    private TestRunner start() {
        return TestRunner.start(
                dir,
                new ConfiguredModels(
                        () -> ModelTable.read(dir.resolve("models.yaml")),
                        name ->
                                name.equals("REAL_KEY")
                                        ? Optional.of("sk-1234567890")
                                        : Optional.empty(),
                        TestRunner.CLOCK));
    }

    private static List<CostSummary> spent(TestRunner test) {
        return test.runner
                .stores()
                .costs()
                .summarize(
                        test.host.principal(),
                        CostSummary.By.MODEL,
                        ManagedFixture.id(test, "dora"),
                        null);
    }

    @Test
    void a_call_is_passed_on_and_booked_in_the_agents_session() throws InterruptedException {
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n!model anthropic claude 1000 hi",
                "model: claude\nspend_limit: 1.00\n");
        try (TestRunner test = start()) {
            test.recorder.await("dora REPLY", "200", "Hello");
            test.recorder.await("dora is WAITING");
            assertThat(spent(test)).singleElement().extracting(CostSummary::calls).isEqualTo(1L);
            assertThat(spent(test).getFirst().micros()).isPositive();
            test.runner.controls("dora").orElseThrow().stop("enough");
            test.recorder.await("dora is STOPPED: enough");
            assertThat(
                            test.runner
                                    .stores()
                                    .sessions()
                                    .latest(test.host.principal(), ManagedFixture.id(test, "dora"))
                                    .orElseThrow()
                                    .totalCost())
                    .isEqualTo(spent(test).getFirst().micros());
        }
    }

    @Test
    void a_refusal_ends_the_turn_with_its_reason_and_it_goes_on_when_there_is_money()
            throws InterruptedException {
        // Each call is made to fit into what is left, until not even the shortest does.
        ManagedFixture.agent(
                dir,
                "dora",
                "Hi.\n" + "!model anthropic claude 900 hi\n".repeat(MOST_CALLS),
                "model: claude\nspend_limit: 0.01\nspend_window: 4s\n");
        try (TestRunner test = start()) {
            provider.follow(_ -> ProviderAnswer.say("Hello", new ProviderUsage(100, 900, 0, 0)));
            test.recorder.await("dora is OVER_BUDGET", "this agent's limit is");
            assertThat(spent(test).getFirst().micros()).isBetween(1L, 10_000L);
            assertThat(provider.charged()).hasSizeLessThan(MOST_CALLS);
            assertThat(test.log("dora"))
                    .anySatisfy(
                            line ->
                                    assertThat(line)
                                            .startsWith(
                                                    "TURN_END: the turn is over: this agent's limit is"));
            test.recorder.await("dora PROMPT", "Your last turn ended early: this agent's limit is");
            test.recorder.await("dora is WAITING");
        }
    }

    @Test
    void a_limit_that_nothing_would_hold_is_refused_at_the_start() throws IOException {
        Files.writeString(
                dir.resolve("runtimes.yaml"),
                "\n  - { name: blind, command: [/bin/cat], install: it is there, wire: none }\n",
                java.nio.file.StandardOpenOption.APPEND);
        TestRunner.agent(
                dir, "dora", "runtime: blind\nprompt: x\nspend_limit: 1.00\nauto_start: false\n");
        try (TestRunner test = start()) {
            assertThat(test.runner.start("dora", null).message())
                    .contains("spend_limit: blind cannot be pointed at the gateway");
            assertThat(test.runner.isServingOnLoopback()).isFalse();
        }
    }

    @Test
    void a_model_that_the_runtime_cannot_ask_is_refused_at_the_start() throws IOException {
        Files.writeString(
                dir.resolve("runtimes.yaml"),
                "\n  - { name: chat, command: [/bin/cat], install: it is there, wire: openai }\n",
                java.nio.file.StandardOpenOption.APPEND);
        TestRunner.agent(
                dir, "dora", "runtime: chat\nprompt: x\nmodel: claude\nauto_start: false\n");
        TestRunner.agent(
                dir, "eve", "runtime: chat\nprompt: x\nmodel: nobody\nauto_start: false\n");
        try (TestRunner test = start()) {
            assertThat(test.runner.start("dora", null).message())
                    .contains("model: chat asks its model in the format of openai");
            assertThat(test.runner.start("eve", null).message())
                    .contains("model nobody is not known; add it to models.yaml");
        }
    }
}
