package dev.skep.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.cost.CostSummary;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import dev.skep.models.table.ConfiguredModels;
import dev.skep.models.table.ModelTable;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Limits against a provider that charges all it may, over real HTTP. */
final class SpendingAtMostTest {
    private static final String DENSE = "语言模型按字节计费的密集文本";

    @TempDir Path dir;

    @ParameterizedTest
    @CsvSource({
        "claude, high, 0.60",
        "claude, low, 0.10",
        "claude-adaptive, medium, 0.20",
        "gpt, high, 0.10",
        "gpt-responses, high, 0.10",
        "local, off, 0.10",
        "gemini, high, 0.90",
        "gemini, low, 0.16",
        "gemini-level, high, 0.10"
    })
    void no_model_is_charged_past_the_limit_however_it_thinks(
            String model, String reasoning, String limit) throws Exception {
        try (var provider = dense()) {
            provider.writeTable(dir);
            agent("alice", model, reasoning, "spend_limit: " + limit);
            try (TestRunner test = start(null)) {
                test.recorder.await("alice is OVER_BUDGET", "this agent's limit is $" + limit);
                assertThat(provider.calls).isNotEmpty();
                assertThat(provider.charged.get())
                        .isLessThanOrEqualTo(Dollars.parse(limit).micros())
                        // An agent gets near its limit, or the limit would be a wall too early.
                        .isGreaterThan(Dollars.parse(limit).micros() / 2);
                assertThat(booked(test)).isEqualTo(provider.charged.get());
            }
        }
    }

    @Test
    void what_is_left_bounds_the_reply_and_the_thinking_that_are_asked_for() throws Exception {
        try (var provider = dense()) {
            provider.writeTable(dir);
            agent("alice", "claude", "high", "spend_limit: 0.30");
            try (TestRunner test = start(null)) {
                test.recorder.await("alice is OVER_BUDGET", "even the shortest reply");
            }
            JsonNode first = provider.calls.getFirst().request();
            // 4,096 and 24,576 tokens would be $0.43.
            assertThat(first.path("max_tokens").asLong()).isBetween(10_000L, 20_000L);
            for (GreedyProvider.Charged call : provider.calls) {
                long thinking = call.request().path("thinking").path("budget_tokens").asLong();
                assertThat(thinking)
                        .isGreaterThanOrEqualTo(1024)
                        .isLessThan(call.request().path("max_tokens").asLong());
            }
        }
    }

    @Test
    void an_agent_whose_limit_is_below_the_shortest_call_is_told_so() throws Exception {
        try (var provider = dense()) {
            provider.writeTable(dir);
            agent("alice", "claude", "off", "spend_limit: 0.01");
            try (TestRunner test = start(null)) {
                test.recorder.await(
                        "alice is OVER_BUDGET",
                        "even the shortest reply to the next call may cost");
                assertThat(provider.calls).isEmpty();
            }
        }
    }

    @Test
    void what_the_provider_counted_is_kept_over_a_restart() throws Exception {
        // A long context that the provider counts as few tokens: a token a byte would not fit.
        String plain = "x".repeat(9_000);
        try (var provider = GreedyProvider.thrifty(turn -> "echo %d %s".formatted(turn, plain))) {
            provider.writeTable(dir);
            agent("alice", "local", "off", "spend_limit: 0.70");
            try (TestRunner test = start(null)) {
                test.recorder.await(9, "alice OUTPUT: ");
            }
            long bytes = provider.calls.getLast().input() * 8;
            assertThat(bytes * 3.75 + provider.charged.get()).isGreaterThan(700_000);
            try (TestRunner test = start(null)) {
                test.recorder.await("alice PROMPT: ");
                String prompt =
                        test.recorder.seen().stream()
                                .filter(line -> line.startsWith("alice PROMPT: "))
                                .findFirst()
                                .orElseThrow();
                long told =
                        Long.parseLong(
                                prompt.replaceAll("(?s).*\\| ([0-9,]+) of .*", "$1")
                                        .replace(",", ""));
                assertThat(told).isBetween(bytes / 8, bytes / 6);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void agents_that_share_a_limit_never_pass_it_over_kills_at_any_moment(long seed)
            throws Exception {
        var random = new Random(seed);
        List<String> models =
                List.of("claude", "claude-adaptive", "gpt", "local", "gemini", "gemini-level");
        try (var provider = dense()) {
            provider.writeTable(dir);
            for (String name : List.of("a", "b", "c")) {
                agent(
                        name,
                        models.get(random.nextInt(models.size())),
                        List.of("off", "low", "high").get(random.nextInt(3)),
                        "spend_limit: 0.%d".formatted(20 + random.nextInt(60)));
            }
            for (int kill = 0; kill < 2; kill++) {
                Process runner = childRunner();
                try (BufferedReader out = runner.inputReader()) {
                    for (int line = random.nextInt(40); line > 0; line--) {
                        assertThat(out.readLine()).isNotNull();
                    }
                } finally {
                    runner.destroyForcibly().waitFor();
                }
            }
            try (TestRunner test = start(TOTAL)) {
                for (String name : List.of("a", "b", "c")) {
                    test.recorder.await(name + " is OVER_BUDGET");
                }
                assertThat(provider.charged.get())
                        .as("seed %d", seed)
                        .isPositive()
                        .isLessThanOrEqualTo(booked(test));
                assertThat(booked(test)).isLessThanOrEqualTo(TOTAL.amount().micros());
            }
        }
    }

    private static final SpendLimit TOTAL =
            new SpendLimit(Dollars.parse("0.90"), Duration.ofHours(1));

    /** What the child runs. */
    public static void main(String[] arguments) throws InterruptedException {
        Path dir = Path.of(arguments[0]);
        TestRunner runner = TestRunner.start(dir, models(dir), Map.of(), TOTAL);
        int shown = 0;
        while (true) {
            runner.recorder.await(shown + 1, "");
            for (List<String> seen = runner.recorder.seen(); shown < seen.size(); shown++) {
                System.out.println(seen.get(shown).replace('\n', ' '));
            }
        }
    }

    private Process childRunner() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SpendingAtMostTest.class.getName(),
                        dir.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static GreedyProvider dense() {
        return new GreedyProvider(
                turn -> "echo %d '%s'".formatted(turn, DENSE.repeat(1 + turn % 20)));
    }

    private void agent(String name, String model, String reasoning, String more) {
        TestRunner.agent(
                dir,
                name,
                "prompt: %s\nmodel: %s\nreasoning: %s\ntoken_limit: 1000000\n%s\n"
                        .formatted(DENSE.repeat(20), model, reasoning, more));
    }

    private TestRunner start(@Nullable SpendLimit total) {
        return TestRunner.start(dir, models(dir), Map.of(), total);
    }

    private static ConfiguredModels models(Path dir) {
        return new ConfiguredModels(
                () -> ModelTable.read(dir.resolve("models.yaml")),
                name -> Optional.empty(),
                TestRunner.CLOCK);
    }

    private static long booked(TestRunner test) {
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
