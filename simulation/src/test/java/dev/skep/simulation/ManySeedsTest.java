package dev.skep.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** With all rules every seed ends well, whatever went wrong on the way. */
class ManySeedsTest {
    @Test
    void two_thousand_five_hundred_seeds_are_sound_and_every_fault_has_happened() {
        Runs run = Runs.simulate("--seeds", "2500");
        assertThat(run.out()).contains("2,500 seeds, 0 failed").doesNotContain("never happened");
        assertThat(run.status()).isZero();
    }

    /** The store in memory is what the many seeds run on; here it is held to the real one. */
    @Test
    void seeds_end_the_same_in_memory_and_on_sqlite() {
        SeedRunner memory = new SeedRunner(null, false);
        SeedRunner sqlite = new SeedRunner(null, true);
        LongStream.rangeClosed(1, 40)
                .parallel()
                .forEach(
                        seed -> {
                            Seed.Verdict real = sqlite.run(seed, null);
                            assertThat(real.broken()).as("seed " + seed).isNull();
                            assertThat(real.outcome())
                                    .as("seed " + seed)
                                    .isEqualTo(memory.run(seed, null).outcome());
                        });
    }

    @Test
    void a_fault_that_never_happened_is_named() {
        Coverage coverage = new Coverage();
        for (Fault fault : Fault.values()) {
            if (fault != Fault.WIPE_HUB) {
                coverage.count(fault);
            }
        }
        assertThat(coverage.never()).containsExactly(Fault.WIPE_HUB);
    }
}
