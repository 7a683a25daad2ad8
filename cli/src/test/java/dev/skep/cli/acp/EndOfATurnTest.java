package dev.skep.cli.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.transport.route.Json;
import org.junit.jupiter.api.Test;

/** When a prompt is answered. */
class EndOfATurnTest {
    private static final String TALK = "{\"type\":\"talk\"}";
    private static final String REPLY = "{\"type\":\"reply\"}";
    private static final String MANAGED = "{\"type\":\"prompt\",\"detail\":{\"wake\":[\"talk\"]}}";

    private final TurnEndDetector watch = new TurnEndDetector();

    private void lines(String... lines) {
        for (String line : lines) {
            watch.line(Json.fields(line));
        }
    }

    private void idle(String status, int times) {
        for (int i = 0; i < times; i++) {
            watch.idle(new AgentClient.State("dora", status, "why"));
        }
    }

    private static String end(String reason) {
        return "{\"type\":\"turn_end\",\"detail\":{\"stopReason\":\"%s\"}}".formatted(reason);
    }

    @Test
    void the_end_of_the_turn_that_heard_the_prompt_counts_and_no_earlier_one() {
        lines(end("end_turn"), TALK, MANAGED, REPLY);
        assertThat(watch.end()).isNotDone();
        lines(end("max_tokens"));
        assertThat(watch.end()).isCompletedWithValue("max_tokens");
    }

    @Test
    void a_reason_that_editors_do_not_know_is_the_usual_one() {
        lines(TALK, MANAGED, end("out_of_money"));
        assertThat(watch.end()).isCompletedWithValue("end_turn");
    }

    @Test
    void a_managed_agent_that_waits_has_not_ended_its_turn_until_it_says_so() {
        lines(TALK, MANAGED, REPLY);
        idle("waiting", 20);
        assertThat(watch.end()).isNotDone();
        idle("waiting", 60);
        assertThat(watch.end()).as("after long").isCompletedWithValue("end_turn");
    }

    @Test
    void an_agent_of_our_own_loop_ends_its_turn_when_it_answered_and_stays_idle() {
        idle("waiting", 20);
        assertThat(watch.end()).as("not heard yet").isNotDone();
        lines(TALK);
        idle("waiting", 20);
        assertThat(watch.end()).as("not answered yet").isNotDone();
        lines(REPLY);
        idle("waiting", 2);
        idle("active", 1);
        idle("waiting", 2);
        assertThat(watch.end()).isNotDone();
        idle("waiting", 1);
        assertThat(watch.end()).isCompletedWithValue("end_turn");
    }

    @Test
    void an_agent_that_waits_for_approval_or_whose_host_is_away_is_in_its_turn() {
        lines(TALK, REPLY);
        idle("awaiting_approval", 100);
        idle("unreachable", 100);
        idle("backing_off", 100);
        assertThat(watch.end()).isNotDone();
    }

    @Test
    void an_agent_that_fails_says_why() {
        lines(TALK, MANAGED);
        idle("failed", 3);
        assertThatThrownBy(() -> watch.end().join()).hasMessageContaining("dora failed: why");
    }

    @Test
    void a_cancelled_turn_is_cancelled_whatever_its_end_says() {
        lines(TALK, MANAGED, REPLY);
        watch.cancel();
        lines(end("end_turn"));
        assertThat(watch.end()).isCompletedWithValue("cancelled");
    }
}
