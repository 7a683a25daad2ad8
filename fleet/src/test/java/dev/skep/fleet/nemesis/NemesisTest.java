package dev.skep.fleet.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Two minutes of faults against two hubs and two runners; {@code ./skep nemesis} for longer, with
 * other seeds. It waits more than it works, and runs beside the other tests.
 */
@Order(0)
class NemesisTest {
    private static final Duration LENGTH =
            Duration.ofSeconds(Integer.getInteger("skep.nemesis.seconds", 120));
    private static final long SEED = Long.getLong("skep.nemesis.seed", 1);

    @Test
    void nothing_acknowledged_is_lost_and_all_databases_are_equal() throws Exception {
        Nemesis.Plan plan = new Nemesis.Plan(SEED, LENGTH, 2, 2, Set.of());
        try (Nemesis nemesis = new Nemesis(plan, line -> System.err.println(line))) {
            NemesisReport report = nemesis.run();
            System.err.println(report.text());
            assertThat(report.findings()).as(report.text()).isEmpty();
            assertThat(report.acknowledged())
                    .allSatisfy((kind, count) -> assertThat(count).as(kind).isPositive());
        }
    }
}
