package dev.skep.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code ./skep simulate} says, and how it ends. */
class SimulateCommandTest {
    private static final Pattern REPLAY =
            Pattern.compile("\\./skep simulate (--seed \\d+ --without owner-check)");

    @Test
    void rules_are_listed_one_a_line() {
        Runs run = Runs.simulate("--list-rules");
        assertThat(run.out().lines())
                .containsExactly(
                        Arrays.stream(Rule.values()).map(Rule::code).toArray(String[]::new));
        assertThat(run.status()).isZero();
    }

    @Test
    void a_rule_that_does_not_exist_is_a_wrong_argument() {
        Runs run = Runs.simulate("--without", "gravity");
        assertThat(run.err()).contains("no rule gravity; --list-rules names them");
        assertThat(run.status()).isEqualTo(2);
    }

    @Test
    void a_seed_tells_its_story_the_same_every_time() {
        Runs first = Runs.simulate("--seed", "7");
        assertThat(first.status()).isZero();
        assertThat(first.out())
                .contains("hub0 starts", "connects to", "writes [", "SyncRequest", "CatchUp")
                .contains("-- no more faults --")
                .endsWith("sound" + System.lineSeparator());
        assertThat(Runs.simulate("--seed", "7").out()).isEqualTo(first.out());
    }

    @Test
    void a_failed_seed_ends_with_one_and_the_command_that_replays_it_fails_alike() {
        Runs many = Runs.simulate("--seeds", "300", "--without", "owner-check");
        assertThat(many.status()).isEqualTo(1);
        Matcher replay = REPLAY.matcher(many.out());
        assertThat(replay.find()).as(many.out()).isTrue();

        Runs one = Runs.simulate(replay.group(1).split(" "));
        assertThat(one.status()).isEqualTo(1);
        String broken = one.out().lines().toList().getLast();
        assertThat(broken).startsWith("BROKEN: ");
        assertThat(many.out()).contains(broken.substring("BROKEN: ".length()));
    }
}
