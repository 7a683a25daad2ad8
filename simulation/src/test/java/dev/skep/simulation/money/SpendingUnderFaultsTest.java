package dev.skep.simulation.money;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Budgets hold whatever goes wrong, and each of their rules is needed. */
class SpendingUnderFaultsTest {
    private static final int SEEDS = 4_000;

    @Test
    void no_budget_is_overspent_in_four_thousand_seeds_and_every_fault_has_happened() {
        MoneySeeds.Result result = new MoneySeeds(null).run(1, SEEDS, 1);
        assertThat(result.failed()).isEmpty();
        assertThat(result.never()).isEmpty();
        assertThat(result.calls()).isGreaterThan(SEEDS * 100L);
    }

    /** What the code does in one seed is the same every time. */
    @Test
    void a_seed_tells_its_story_the_same_every_time() {
        assertThat(story(7)).isEqualTo(story(7)).contains("host0 asks", "hub answers host1");
    }

    private static String story(long seed) {
        StringWriter text = new StringWriter();
        PrintWriter to = new PrintWriter(text);
        assertThat(new MoneySeeds(null).run(seed, to)).isNull();
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource
    void without_a_rule_some_budget_is_overspent(MoneyRule rule) {
        MoneySeeds.Result result = new MoneySeeds(rule).run(1, SEEDS, 1);
        assertThat(result.failures()).as("%s: %s", rule.code(), rule.meaning()).isPositive();
        assertThat(result.failed().getFirst().what()).contains(" spent of ");
    }
}
