package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private final AtomicLong now = new AtomicLong();
    private final RateLimit limit = new RateLimit(5, Duration.ofMinutes(1), 5, now::get);

    @Test
    void a_key_has_its_burst_and_then_what_time_brings() {
        for (int i = 0; i < 5; i++) {
            assertThat(limit.take("a")).isTrue();
        }
        assertThat(limit.take("a")).isFalse();
        assertThat(limit.take("b")).isTrue();
        now.addAndGet(Duration.ofSeconds(13).toNanos());
        assertThat(limit.take("a")).isTrue();
        assertThat(limit.take("a")).isFalse();
    }

    @Test
    void keys_that_have_all_their_tokens_again_take_no_memory() {
        for (int i = 0; i < 1_000; i++) {
            limit.take("early " + i);
        }
        limit.take("late");
        assertThat(limit.size()).isEqualTo(1_001);
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        for (int i = 0; i < 1_000; i++) {
            limit.take("next " + i);
        }
        assertThat(limit.size()).isEqualTo(1_000);
    }

    @Test
    void a_key_that_has_none_left_is_not_forgotten_by_others_coming() {
        while (limit.take("guesser")) {
            // until it has none
        }
        for (int i = 0; i < 10_000; i++) {
            limit.take("other " + i);
        }
        assertThat(limit.has("guesser")).isFalse();
    }
}
