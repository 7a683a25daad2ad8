package dev.skep.transport.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.link.KeepAlive.KeepAliveAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    private final KeepAlive keepAlive = new KeepAlive(Duration.ofSeconds(20), 0);

    private static long at(int second) {
        return Duration.ofSeconds(second).toNanos();
    }

    /** In which of these seconds it asks. */
    private List<Integer> asks(int from, int to) {
        List<Integer> asked = new ArrayList<>();
        for (int second = from; second <= to; second++) {
            if (keepAlive.look(at(second)) == KeepAliveAction.ASK) {
                asked.add(second);
            }
        }
        return asked;
    }

    @Test
    void a_quiet_link_that_answers_is_asked_now_and_then() {
        assertThat(asks(1, 20)).containsExactly(20);
        keepAlive.sign(at(20));
        assertThat(asks(21, 40)).containsExactly(40);
    }

    @Test
    void after_a_message_it_is_asked_soon_and_once_if_it_answers() {
        keepAlive.message(at(5));
        assertThat(asks(5, 6)).containsExactly(6);
        keepAlive.sign(at(6));
        assertThat(asks(7, 26)).containsExactly(26);
    }

    @Test
    void what_does_not_answer_is_asked_three_times_and_then_as_usual() {
        keepAlive.message(at(5));
        assertThat(asks(5, 60)).containsExactly(6, 7, 8, 28, 48);
        assertThat(keepAlive.look(at(66))).isEqualTo(KeepAliveAction.GIVE_UP);
    }

    @Test
    void a_link_that_talks_all_the_time_is_asked_now_and_then_to_hear_of_this_end() {
        List<Integer> asked = new ArrayList<>();
        for (int second = 1; second < 100; second++) {
            keepAlive.message(at(second));
            asked.addAll(asks(second, second));
        }
        assertThat(asked).containsExactly(20, 40, 60, 80);
    }

    @Test
    void a_hub_that_asks_by_itself_is_not_asked() {
        for (int second = 1; second < 100; second += 15) {
            keepAlive.sign(at(second));
            assertThat(asks(second, second + 14)).isEmpty();
        }
    }

    @Test
    void silence_is_noticed_when_it_has_lasted_and_not_at_the_next_question() {
        assertThat(asks(1, 43)).containsExactly(20, 21, 22, 42);
        assertThat(keepAlive.nanosToLook(at(43))).isEqualTo(at(7));
        assertThat(keepAlive.look(at(49))).isEqualTo(KeepAliveAction.WAIT);
        assertThat(keepAlive.look(at(50))).isEqualTo(KeepAliveAction.GIVE_UP);
    }

    @Test
    void a_hub_without_a_word_is_given_up_within_fifteen_seconds() {
        KeepAlive real = new KeepAlive(DialledLink.PING_EVERY, 0);
        while (real.look(at(0)) == KeepAliveAction.ASK) {
            // asked before time, if at all
        }
        long looked = real.nanosToLook(0);
        while (real.look(looked) != KeepAliveAction.GIVE_UP) {
            looked += Math.max(1, real.nanosToLook(looked));
        }
        assertThat(looked).isLessThan(at(15));
        Duration hub = LinkServer.LIMITS.pingEvery();
        assertThat(hub.multipliedBy(3).plus(hub.dividedBy(2))).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void only_the_first_message_after_a_sign_makes_the_next_look_sooner() {
        assertThat(keepAlive.nanosToLook(at(5))).isEqualTo(at(15));
        assertThat(keepAlive.message(at(5))).isTrue();
        assertThat(keepAlive.nanosToLook(at(5))).isEqualTo(at(1));
        assertThat(keepAlive.message(at(6))).isFalse();
        assertThat(keepAlive.nanosToLook(at(6))).isEqualTo(at(1));
        keepAlive.sign(at(7));
        assertThat(keepAlive.nanosToLook(at(7))).isEqualTo(at(20));
        assertThat(keepAlive.message(at(8))).isTrue();
    }
}
