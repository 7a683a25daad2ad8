package dev.skep.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.link.LinkServer;
import dev.skep.transport.socket.KeepAlive.KeepAliveAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
    private final KeepAlive keepAlive = keepAlive(false);

    private static KeepAlive keepAlive(boolean pingsUnasked) {
        return new KeepAlive(
                new SocketLimits(
                        1 << 20,
                        1 << 20,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(20),
                        pingsUnasked,
                        1 << 10),
                0);
    }

    private static long at(int second) {
        return Duration.ofSeconds(second).toNanos();
    }

    /** In which of these seconds it asks. */
    private static List<Integer> asks(KeepAlive keepAlive, int from, int to) {
        List<Integer> asked = new ArrayList<>();
        for (int second = from; second <= to; second++) {
            if (keepAlive.look(at(second)) == KeepAliveAction.ASK) {
                asked.add(second);
            }
        }
        return asked;
    }

    @Test
    void a_quiet_peer_that_answers_is_asked_now_and_then() {
        assertThat(asks(keepAlive, 1, 20)).containsExactly(20);
        keepAlive.received(at(20));
        assertThat(asks(keepAlive, 21, 40)).containsExactly(40);
    }

    @Test
    void a_message_changes_nothing_about_when_the_peer_is_asked() {
        keepAlive.received(at(5));
        assertThat(asks(keepAlive, 5, 40)).containsExactly(20, 40);
    }

    @Test
    void a_peer_that_sends_all_the_time_is_pinged_now_and_then() {
        List<Integer> asked = new ArrayList<>();
        for (int second = 1; second < 100; second++) {
            keepAlive.received(at(second));
            asked.addAll(asks(keepAlive, second, second));
        }
        assertThat(asked).containsExactly(20, 40, 60, 80);
    }

    @Test
    void a_peer_that_asks_by_itself_is_not_asked() {
        for (int second = 1; second < 100; second += 15) {
            keepAlive.pinged(at(second));
            assertThat(asks(keepAlive, second, second + 14)).isEmpty();
        }
    }

    @Test
    void it_is_asked_all_the_same_where_both_ends_ask() {
        KeepAlive both = keepAlive(true);
        List<Integer> asked = new ArrayList<>();
        for (int second = 1; second < 60; second += 15) {
            both.pinged(at(second));
            asked.addAll(asks(both, second, second + 14));
        }
        assertThat(asked).containsExactly(20, 40, 60);
    }

    @Test
    void three_questions_without_an_answer_are_the_end() {
        assertThat(asks(keepAlive, 1, 60)).containsExactly(20, 40, 60);
        assertThat(keepAlive.look(at(60))).isEqualTo(KeepAliveAction.WAIT);
        assertThat(keepAlive.look(at(61))).isEqualTo(KeepAliveAction.GIVE_UP);
    }

    @Test
    void a_part_of_a_message_is_a_sign_of_life() {
        assertThat(asks(keepAlive, 1, 59)).containsExactly(20, 40);
        keepAlive.received(at(59));
        assertThat(keepAlive.look(at(61))).isNotEqualTo(KeepAliveAction.GIVE_UP);
    }

    @Test
    void either_end_of_a_link_is_given_up_within_fifteen_seconds_of_silence() {
        SocketLimits hub = LinkServer.LIMITS;
        KeepAlive real = new KeepAlive(hub, 0);
        long look = hub.pingEvery().dividedBy(SocketKeepAlive.LOOKS_PER_PING).toNanos();
        long looked = 0;
        while (real.look(looked) != KeepAliveAction.GIVE_UP) {
            looked += look;
        }
        assertThat(looked).isLessThan(at(15));
    }
}
