package dev.skep.sync.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.sync.SyncLimits;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which links are given up, and which are asked though they said nothing. */
class PullSchedulerTest {
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");

    private final PullScheduler<String> pullScheduler = new PullScheduler<>(SyncLimits.DEFAULT);

    private static Instant at(long second) {
        return START.plusSeconds(second);
    }

    @BeforeEach
    void asked() {
        pullScheduler.join("slow", START);
        pullScheduler.ready("slow", START);
        pullScheduler.queuePull("slow");
        assertThat(pullScheduler.next(START)).isEqualTo("slow");
    }

    @Test
    void a_link_of_which_nothing_comes_is_silent_after_the_timeout() {
        assertThat(pullScheduler.overdueLinks(at(30))).isEmpty();
        assertThat(pullScheduler.overdueLinks(at(31))).containsExactly("slow");
    }

    @Test
    void a_link_of_which_something_comes_is_not_however_long_it_takes() {
        for (int second = 20; second < 600; second += 20) {
            pullScheduler.moved("slow", at(second));
            assertThat(pullScheduler.overdueLinks(at(second + 20))).isEmpty();
        }
        assertThat(pullScheduler.asked().get("slow"))
                .isEqualTo(new HubSync.PendingResponse(START, at(580)));
        assertThat(pullScheduler.overdueLinks(at(611))).containsExactly("slow");
    }

    @Test
    void what_was_sent_is_given_time_to_arrive_by_its_size() {
        pullScheduler.sent("slow", 1 << 20);
        assertThat(pullScheduler.overdueLinks(at(280))).isEmpty();
        assertThat(pullScheduler.overdueLinks(at(287))).containsExactly("slow");
    }

    @Test
    void a_host_learns_soon_that_its_rows_are_stored() {
        pullScheduler.stored("slow", at(1));
        pullScheduler.answered("slow", at(1), true);
        assertThat(pullScheduler.idleLinks(at(2))).isEmpty();
        assertThat(pullScheduler.idleLinks(at(3))).containsExactly("slow");

        pullScheduler.queueNotification("slow");
        assertThat(pullScheduler.next(at(3))).isEqualTo("slow");
        pullScheduler.answered("slow", at(3), false);
        assertThat(pullScheduler.idleLinks(at(60))).as("once").isEmpty();
    }
}
