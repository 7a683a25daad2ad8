package dev.skep.sync.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.sync.SyncLimits;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which links are given up, and which are asked though they said nothing. */
class RotaTest {
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

    private final Rota<String> rota = new Rota<>(SyncLimits.DEFAULT);

    private static Instant at(long second) {
        return START.plusSeconds(second);
    }

    @BeforeEach
    void asked() {
        rota.join("slow", START);
        rota.ready("slow", START);
        rota.wantRows("slow");
        assertThat(rota.next(START)).isEqualTo("slow");
    }

    @Test
    void a_link_of_which_nothing_comes_is_silent_after_the_timeout() {
        assertThat(rota.silent(at(30))).isEmpty();
        assertThat(rota.silent(at(31))).containsExactly("slow");
    }

    @Test
    void a_link_of_which_something_comes_is_not_however_long_it_takes() {
        for (int second = 20; second < 600; second += 20) {
            rota.moved("slow", at(second));
            assertThat(rota.silent(at(second + 20))).isEmpty();
        }
        assertThat(rota.asked().get("slow")).isEqualTo(new HubSync.Awaited(START, at(580)));
        assertThat(rota.silent(at(611))).containsExactly("slow");
    }

    @Test
    void what_was_sent_is_given_time_to_arrive_by_its_size() {
        rota.sent("slow", 1 << 20);
        assertThat(rota.silent(at(280))).isEmpty();
        assertThat(rota.silent(at(287))).containsExactly("slow");
    }

    @Test
    void a_host_is_told_soon_that_its_rows_are_stored() {
        rota.stored("slow", at(1));
        rota.answered("slow", at(1), true);
        assertThat(rota.idle(at(2))).isEmpty();
        assertThat(rota.idle(at(3))).containsExactly("slow");

        rota.wantTold("slow");
        assertThat(rota.next(at(3))).isEqualTo("slow");
        rota.answered("slow", at(3), false);
        assertThat(rota.idle(at(60))).as("once").isEmpty();
    }
}
