package dev.skep.registry.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TallyTest {
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

    @Test
    void stretches_add_up_and_gaps_do_not_count() {
        Tally tally = new Tally();
        tally.up(START);
        tally.upUntil(at(10));
        tally.upUntil(at(10));
        tally.up(at(100));
        tally.upUntil(at(105));
        assertThat(uptime(tally)).isEqualTo(15);
    }

    @Test
    void a_clock_that_steps_back_counts_nothing_twice() {
        Tally tally = new Tally();
        tally.up(START);
        tally.upUntil(at(100));
        tally.up(at(50));
        tally.upUntil(at(80));
        tally.upUntil(at(101));
        assertThat(uptime(tally)).isEqualTo(101);
    }

    @Test
    void after_a_crash_only_what_was_not_written_is_added() {
        Tally tally = new Tally();
        tally.up(START);
        tally.upUntil(at(60));
        Tally restarted = new Tally(tally.stats("a"));
        restarted.upUntil(at(75));
        assertThat(uptime(restarted)).isEqualTo(75);
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static long uptime(Tally tally) {
        return tally.stats("a").totalUptimeSeconds();
    }
}
