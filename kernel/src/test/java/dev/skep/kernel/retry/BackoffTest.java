package dev.skep.kernel.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private final Random random = new Random(5);

    @Test
    void the_bound_doubles_with_each_try_up_to_the_longest_wait() {
        Backoff backoff = Backoff.full(SECOND, LONGEST);

        assertThat(backoff.bound(1)).isEqualTo(SECOND);
        assertThat(backoff.bound(4)).isEqualTo(Duration.ofSeconds(8));
        assertThat(backoff.bound(99)).isEqualTo(LONGEST);
    }

    @Test
    void full_jitter_spreads_waits_over_the_whole_bound() {
        Backoff backoff = Backoff.full(SECOND, LONGEST);

        for (int tries = 1; tries < 100; tries++) {
            assertThat(backoff.after(tries, random)).isBetween(Duration.ZERO, backoff.bound(tries));
        }
    }

    @Test
    void half_jitter_never_waits_less_than_half_the_bound() {
        Backoff backoff = Backoff.half(SECOND, LONGEST);

        for (int tries = 1; tries < 100; tries++) {
            assertThat(backoff.after(tries, random))
                    .isBetween(backoff.bound(tries).dividedBy(2), backoff.bound(tries));
        }
    }

    @Test
    void a_longer_wait_that_was_asked_for_is_kept_even_beyond_the_longest() {
        Backoff backoff = Backoff.half(SECOND, LONGEST);

        assertThat(backoff.after(1, Duration.ofHours(1), random)).isEqualTo(Duration.ofHours(1));
        assertThat(backoff.after(9, SECOND, random)).isGreaterThan(Duration.ofMinutes(2));
        assertThat(backoff.after(1, null, random)).isLessThanOrEqualTo(SECOND);
    }

    @Test
    void a_first_wait_beyond_the_longest_is_refused() {
        assertThatThrownBy(() -> Backoff.full(LONGEST, SECOND))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
