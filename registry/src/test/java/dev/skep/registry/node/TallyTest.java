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

    @Test
    void what_was_counted_before_the_stored_counts_could_be_read_comes_on_top() {
        Tally stored = new Tally();
        stored.up(START);
        stored.upUntil(at(60));
        Tally tally = new Tally();
        tally.up(at(100));
        tally.upUntil(at(105));
        tally.relayed();
        tally.goOnFrom(stored.stats("a"));
        tally.upUntil(at(110));
        assertThat(uptime(tally)).isEqualTo(70);
        assertThat(tally.stats("a").messagesRelayed()).isEqualTo(1);
        assertThat(tally.unwritten("a")).isNotNull();
    }

    private static Instant at(int seconds) {
        return START.plusSeconds(seconds);
    }

    private static long uptime(Tally tally) {
        return tally.stats("a").totalUptimeSeconds();
    }
}
