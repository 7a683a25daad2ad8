package dev.skep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.row.Position;
import dev.skep.kernel.row.Timestamps;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PositionsTest {
    @Test
    void a_position_is_an_epoch_and_a_count_in_one_number() {
        long position = Position.of((1L << 37) - 1, Position.MAX_N);

        assertThat(Position.epoch(position)).isEqualTo((1L << 37) - 1);
        assertThat(Position.n(position)).isEqualTo(Position.MAX_N);
        assertThat(position).isPositive();
    }

    @Test
    void a_later_epoch_is_later_than_any_count() {
        assertThat(Position.of(6, 0)).isGreaterThan(Position.of(5, Position.MAX_N));
    }

    @Test
    void what_a_peer_sends_is_read_or_refused() {
        assertThat(Position.parse(Position.format(Position.of(5, 7)))).isEqualTo(Position.of(5, 7));
        assertThatThrownBy(() -> Position.parse("-1")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> Position.parse("1e9")).isInstanceOf(NumberFormatException.class);
        assertThatThrownBy(() -> Position.parse("")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void times_are_text_that_sorts_like_time() {
        String whole = Timestamps.format(Instant.parse("2027-01-01T00:00:00Z"));
        String fraction = Timestamps.format(Instant.parse("2027-01-01T00:00:00.000001Z"));

        assertThat(whole).isEqualTo("2027-01-01T00:00:00.000000Z").isLessThan(fraction);
        assertThat(Timestamps.parse(fraction))
                .isEqualTo(Instant.parse("2027-01-01T00:00:00.000001Z"));
    }
}
