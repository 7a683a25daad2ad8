package dev.skep.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.Writer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each rule is needed: without it some seed fails, or the simulation would prove nothing of it. */
class WithoutARuleTest {
    private static final int SEEDS = 4_000;

    @ParameterizedTest
    @EnumSource
    void some_seed_fails(Rule rule) {
        SeedRunner.Result result =
                new SeedRunner(rule, false).run(1, SEEDS, 1, new PrintWriter(Writer.nullWriter()));
        assertThat(result.failures()).as("%s: %s", rule.code(), rule.meaning()).isPositive();
    }
}
