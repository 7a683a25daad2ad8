package dev.skep.conformance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.skep.store.Database;
import dev.skep.store.clock.SteadyClock;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SteadyClockTest extends EachDatabase {
    private long nanos;

    @Test
    void it_goes_with_monotonic_time_however_the_wall_clock_is_set() {
        SteadyClock clock = opened();
        Instant before = clock.instant();
        fixture.time.advance(Duration.ofHours(2));
        pass(Duration.ofSeconds(30));
        assertThat(clock.instant()).isEqualTo(before.plusSeconds(30));

        fixture.time.advance(Duration.ofDays(-3));
        clock.keep();
        pass(Duration.ofSeconds(30));
        assertThat(clock.instant()).isEqualTo(before.plusSeconds(60));
    }

    @Test
    void processes_on_one_database_agree_though_one_came_after_the_wall_clock_was_set() {
        SteadyClock first = opened();
        fixture.time.advance(Duration.ofHours(2));
        first.keep();
        SteadyClock second = opened();
        near(second.instant(), first.instant());

        pass(Duration.ofMinutes(5));
        second.keep();
        first.keep();
        near(first.instant(), second.instant());
    }

    @Test
    void after_a_restart_it_is_never_behind_where_it_was() {
        SteadyClock before = opened();
        pass(Duration.ofMinutes(5));
        before.keep();
        Instant kept = before.instant();
        fixture.time.advance(Duration.ofDays(-3));

        assertThat(opened().instant()).isAfterOrEqualTo(kept);
    }

    @Test
    void a_file_s_clock_counts_the_pause_of_a_restart_up_to_a_week() {
        if (kind != TestDatabase.SQLITE) {
            return;
        }
        SteadyClock before = opened();
        Instant at = before.instant();
        fixture.time.advance(Duration.ofHours(5));
        assertThat(opened().instant()).isEqualTo(at.plus(Duration.ofHours(5)));

        fixture.time.advance(Duration.ofDays(400));
        assertThat(opened().instant())
                .isEqualTo(at.plus(Duration.ofHours(5)).plus(SteadyClock.LONGEST_PAUSE));
    }

    @Test
    void its_distance_from_the_wall_clock_is_known_to_every_reader_of_the_database() {
        if (kind != TestDatabase.SQLITE) {
            return;
        }
        SteadyClock clock = opened();
        assertThat(fixture.database.read(SteadyClock::ahead)).isZero();
        fixture.time.advance(Duration.ofHours(2));
        clock.keep();
        assertThat(fixture.database.read(SteadyClock::ahead)).isEqualTo(Duration.ofHours(-2));
    }

    @Test
    void a_process_that_joins_one_that_lives_counts_no_pause_though_the_wall_clock_was_set() {
        if (kind != TestDatabase.POSTGRES) {
            return;
        }
        SteadyClock living = opened();
        serverWasSet(Duration.ofHours(2));
        try (Database second = Databases.open(fixture.url, fixture.time)) {
            near(opened(second).instant(), living.instant());
        }
    }

    @Test
    void of_processes_that_start_together_after_a_pause_the_first_counts_it_for_all() {
        if (kind != TestDatabase.POSTGRES) {
            return;
        }
        Instant at;
        try (Database gone = Databases.open(fixture.url, fixture.time)) {
            at = opened(gone).instant();
        }
        Eventually.holds("one process is left", () -> processes() <= 1);
        serverWasSet(Duration.ofHours(2));
        SteadyClock first = opened();
        near(first.instant(), at.plus(Duration.ofHours(2)));
        try (Database second = Databases.open(fixture.url, fixture.time)) {
            near(opened(second).instant(), first.instant());
        }
    }

    /** How many the server knows by their sessions; it notices soon that one has gone. */
    private long processes() {
        return fixture.database.read(
                db ->
                        db.first(
                                        """
                                        SELECT count(DISTINCT application_name) FROM pg_stat_activity
                                        WHERE datname = current_database()
                                            AND application_name LIKE 'skep-%'
                                        """,
                                        row -> row.number(1))
                                .orElseThrow());
    }

    /** Between two moments when the clock was kept. */
    private void serverWasSet(Duration ahead) {
        fixture.database.write(
                tx ->
                        tx.update(
                                "UPDATE steady_clock SET wall = ?",
                                tx.first("SELECT wall FROM steady_clock", row -> row.time("wall"))
                                        .orElseThrow()
                                        .minus(ahead)));
    }

    private SteadyClock opened() {
        return opened(fixture.database);
    }

    private SteadyClock opened(Database database) {
        return SteadyClock.open(database, fixture.time, () -> nanos);
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    /** On a server the pause between the two is counted by its own clock. */
    private static void near(Instant one, Instant other) {
        assertThat(one).isCloseTo(other, within(5, ChronoUnit.SECONDS));
    }
}
