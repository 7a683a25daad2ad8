package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.clock.RetentionClock;
import dev.skep.store.clock.RetentionClockState;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.TestDatabase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rows age by: no setting of a machine's clock makes them old. */
@Timeout(60)
class RetentionClockTest extends EachDatabase {
    private static final Duration FAR = Duration.ofDays(400);
    private long nanos;

    @Test
    void a_clock_that_is_set_while_a_process_runs_ages_nothing() {
        RetentionClock clock = opened();
        long before = clock.keep();
        fixture.time.advance(FAR);
        nanos += Duration.ofMinutes(1).toNanos();
        assertThat(clock.keep() - before).isEqualTo(Duration.ofMinutes(1).toMillis());
    }

    @Test
    void a_restart_counts_seven_days_at_most_and_the_rest_waits_for_an_operators_word() {
        long before = opened().keep();
        fixture.time.advance(FAR);
        long after = opened().keep();
        assertThat(Duration.ofMillis(after - before)).isEqualTo(RetentionClock.LONGEST_PAUSE);

        Duration held = fixture.database.write(tx -> RetentionClock.decide(tx, true));
        assertThat(held).isEqualTo(FAR.minus(RetentionClock.LONGEST_PAUSE));
        assertThat(fixture.database.read(RetentionClock::read).at() - before)
                .isEqualTo(FAR.toMillis());
    }

    @Test
    void a_running_process_continues_from_what_an_operator_has_counted() {
        opened().keep();
        fixture.time.advance(FAR);
        RetentionClock running = opened();
        running.keep();
        fixture.database.write(tx -> RetentionClock.decide(tx, true));
        long decided = running.keep();
        nanos += Duration.ofHours(1).toNanos();
        assertThat(Duration.ofMillis(running.keep() - decided)).isEqualTo(Duration.ofHours(1));
        assertThat(running.beginsRound(Duration.ofHours(1))).isTrue();
    }

    @Test
    void processes_that_go_on_from_each_other_count_time_once() {
        RetentionClock one = opened();
        RetentionClock other = opened();
        long before = one.keep();
        for (int i = 0; i < 10; i++) {
            nanos += Duration.ofSeconds(20).toNanos();
            one.keep();
            nanos += Duration.ofSeconds(10).toNanos();
            other.keep();
        }
        assertThat(Duration.ofMillis(one.keep() - before)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void a_clock_that_goes_back_and_forth_over_restarts_counts_once() {
        long before = opened().keep();
        for (int i = 0; i < 5; i++) {
            fixture.time.advance(FAR);
            opened().keep();
            fixture.time.advance(FAR.negated());
            opened().keep();
        }
        assertThat(Duration.ofMillis(fixture.database.read(RetentionClock::read).at() - before))
                .isEqualTo(RetentionClock.LONGEST_PAUSE);
    }

    @Test
    void an_hour_has_one_round_whichever_process_asks() {
        RetentionClock one = opened();
        RetentionClock other = opened();
        nanos += Duration.ofMinutes(1).toNanos();
        assertThat(fixture.database.read(RetentionClock::sinceRound)).isEmpty();
        assertThat(one.beginsRound(Duration.ofHours(1))).isTrue();
        assertThat(fixture.database.read(RetentionClock::sinceRound)).contains(Duration.ZERO);
        assertThat(other.beginsRound(Duration.ofHours(1))).isFalse();
        nanos += Duration.ofHours(1).toNanos();
        assertThat(other.beginsRound(Duration.ofHours(1))).isTrue();
    }

    @Test
    void it_advances_for_all_while_an_operator_lets_time_count() {
        opened().keep();
        fixture.time.advance(FAR);
        RetentionClock running = opened();
        long before = running.keep();
        long inMemory = running.now();
        Duration held = fixture.database.write(tx -> RetentionClock.decide(tx, true));
        nanos += Duration.ofMinutes(1).toNanos();
        running.keep();
        nanos += Duration.ofMinutes(1).toNanos();

        assertThat(Duration.ofMillis(running.keep() - before))
                .as("all but what passed before the next time it was written down")
                .isEqualTo(held.plusMinutes(1));
        assertThat(Duration.ofMillis(running.now() - inMemory))
                .as("nothing in memory is older by what was let count")
                .isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void a_process_continues_from_another_that_is_further() {
        RetentionClock one = opened();
        one.keep();
        fixture.time.advance(Duration.ofDays(2));
        RetentionClock other = opened();
        long at = other.keep();
        assertThat(one.keep()).isEqualTo(at);
        nanos += Duration.ofMinutes(1).toNanos();
        assertThat(one.keep() - at).isEqualTo(Duration.ofMinutes(1).toMillis());
    }

    @Test
    void what_an_operator_decides_while_a_process_writes_is_not_undone() throws Exception {
        if (kind != TestDatabase.POSTGRES) {
            return;
        }
        opened().keep();
        fixture.time.advance(FAR);
        RetentionClock running = opened();
        long before = running.keep();
        Thread keeping = Thread.ofVirtual().unstarted(running::keep);
        fixture.database.write(
                tx -> {
                    tx.update("UPDATE retention_clock SET at = at + held, held = 0");
                    keeping.start();
                    Eventually.holds("a process waits", () -> waiting() > 0);
                    return true;
                });
        keeping.join();
        RetentionClockState after = fixture.database.read(RetentionClock::read);
        assertThat(after.held()).isZero();
        assertThat(Duration.ofMillis(after.at() - before))
                .isEqualTo(FAR.minus(RetentionClock.LONGEST_PAUSE));
    }

    private long waiting() {
        return fixture.database.read(
                db ->
                        db.first(
                                        """
                                        SELECT count(*) FROM pg_stat_activity
                                        WHERE datname = current_database()
                                            AND wait_event_type = 'Lock'
                                        """,
                                        row -> row.number(1))
                                .orElseThrow());
    }

    private RetentionClock opened() {
        return RetentionClock.open(fixture.database, fixture.time, () -> nanos);
    }
}
