package dev.skep.conformance.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.sync.module.UpstreamLease;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes on one PostgreSQL, of which perhaps one only is enrolled with other hubs. */
class UpstreamTurnTest {
    private static final List<String> UPSTREAM = List.of("at hub");
    private static final List<String> NONE = List.of();

    /** One that never has anything: all stays. */
    private static final List<String> NEVER = List.of("");

    private final SettableClock steady = SettableClock.atNewYear();
    private final Database database = Databases.open(PostgresServer.newDatabase(), steady);
    private final AtomicBoolean enrolled = new AtomicBoolean(true);
    private final UpstreamLease one = turn("one", enrolled);
    private final UpstreamLease other = turn("two", new AtomicBoolean());

    private UpstreamLease turn(String place, AtomicBoolean enrolled) {
        return new UpstreamLease(
                database, place, "process", steady, enrolled::get, () -> {}, () -> {});
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_hub_that_joins_no_other_waits_for_no_other() {
        enrolled.set(false);
        one.look();
        other.look();
        assertThat(one.awaited(NONE)).isEmpty();
        assertThat(other.awaited(NONE)).isEmpty();
        assertThat(one.isAnothers()).isFalse();
    }

    @Test
    void who_is_not_enrolled_takes_no_turn_and_lets_nothing_go_for_want_of_hubs() {
        other.look();
        one.look();
        assertThat(one.awaited(UPSTREAM)).isEqualTo(UPSTREAM);
        assertThat(other.awaited(NONE)).isEqualTo(NEVER);
        assertThat(other.isAnothers()).as("rounds are left to who knows").isTrue();
        assertThat(one.isAnothers()).isFalse();

        one.giveUp();
        other.look();
        assertThat(other.isAnothers()).isFalse();
        assertThat(other.awaited(NONE)).as("the one that knows is away").isEqualTo(NEVER);
    }

    @Test
    void another_enrolled_process_takes_over_at_once_and_knows_what_to_wait_for() {
        one.look();
        one.giveUp();
        UpstreamLease next = turn("three", enrolled);
        next.look();
        assertThat(next.awaited(UPSTREAM)).isEqualTo(UPSTREAM);
    }

    @Test
    void an_enrolment_that_is_left_keeps_nothing_back() {
        one.look();
        enrolled.set(false);
        one.look();
        assertThat(one.awaited(NONE)).isEmpty();
        assertThat(other.awaited(NONE)).isEmpty();
    }

    @Test
    void one_that_was_left_while_the_process_was_away_neither() {
        one.look();
        one.giveUp();
        enrolled.set(false);
        steady.advance(Duration.ofMinutes(1));
        UpstreamLease again = turn("one", enrolled);
        again.look();
        assertThat(again.awaited(NONE)).isEmpty();
        assertThat(other.awaited(NONE)).isEmpty();
    }
}
