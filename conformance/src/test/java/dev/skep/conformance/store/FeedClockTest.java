package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Position;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FeedClockTest extends EachDatabase {
    @Test
    void stamps_are_consecutive_within_an_epoch() {
        long first = take(3);
        long next = take(1);

        assertThat(next).isEqualTo(first + 3);
        assertThat(Position.n(first)).isEqualTo(1);
    }

    @Test
    void every_start_opens_a_higher_epoch() {
        long before = take(1);
        fixture = fixture.reopened();
        long after = take(1);

        assertThat(Position.epoch(after)).isGreaterThan(Position.epoch(before));
    }

    @Test
    void a_clock_that_stepped_back_still_opens_a_higher_epoch() {
        long before = take(1);
        fixture.time.advance(Duration.ofDays(-300));
        fixture.database.write(tx -> fixture.clock.openEpoch(tx, 0));

        assertThat(Position.epoch(take(1))).isGreaterThan(Position.epoch(before));
    }

    @Test
    void an_epoch_opens_above_any_epoch_it_has_seen() {
        long far = 1L << 36;
        fixture.database.write(tx -> fixture.clock.openEpoch(tx, far));

        assertThat(Position.epoch(take(1))).isGreaterThan(far);
    }

    @Test
    void a_clock_that_is_centuries_ahead_leaves_room_for_more_epochs() {
        fixture.time.advance(Duration.ofDays(365 * 300));
        fixture = fixture.reopened();
        long far = take(1);
        fixture.time.advance(Duration.ofDays(-365 * 300));
        fixture = fixture.reopened();
        long after = take(1);

        assertThat(far).isPositive();
        assertThat(Position.isCredible(far)).isTrue();
        assertThat(after).isGreaterThan(far);
        assertThat(Position.isCredible(after)).isTrue();
    }

    @Test
    void an_impossible_epoch_is_refused() {
        long before = take(1);
        for (long told : new long[] {Position.MAX_EPOCH, Long.MAX_VALUE, -1}) {
            assertThatThrownBy(
                            () -> fixture.database.write(tx -> fixture.clock.openEpoch(tx, told)))
                    .isInstanceOf(SkepException.class);
        }
        assertThat(take(1)).isEqualTo(before + 1);
    }

    @Test
    void a_full_epoch_is_followed_by_the_next() {
        long epoch = Position.epoch(take(1));
        long nearlyFull = Position.of(epoch, Position.MAX_N - 2);
        fixture.database.write(tx -> tx.update("UPDATE feed_clock SET pos = ?", nearlyFull));

        long first = take(5);

        assertThat(Position.epoch(first)).isGreaterThan(epoch);
        assertThat(Position.n(first)).isEqualTo(1);
        assertThat(isKnown(nearlyFull)).isTrue();
        assertThat(isKnown(nearlyFull + 1)).isFalse();
    }

    @Test
    void only_positions_this_timeline_made_are_known() {
        long first = take(10);
        long last = first + 9;
        assertThat(isKnown(Position.NONE)).isTrue();
        assertThat(isKnown(last)).isTrue();
        assertThat(isKnown(last + 1)).isFalse();
        assertThat(isKnown(Position.of(Position.epoch(last) + 1, 1))).isFalse();

        fixture = fixture.reopened();
        assertThat(isKnown(last)).isTrue();
        assertThat(isKnown(last + 1)).isFalse();
    }

    @Test
    void listeners_receive_stamps_once_they_are_committed() {
        AtomicInteger moved = new AtomicInteger();
        fixture.clock.onAdvanced(moved::incrementAndGet);
        take(2);
        fixture.database.write(tx -> 1);

        assertThat(moved).hasValue(1);
    }

    private long take(int count) {
        return fixture.database.write(tx -> fixture.clock.take(tx, count));
    }

    private boolean isKnown(long position) {
        return fixture.database.read(s -> fixture.clock.isKnown(s, position));
    }
}
