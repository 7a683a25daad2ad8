package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
    private final List<String> lines = new ArrayList<>();
    private final List<Runnable> inAMinute = new ArrayList<>();
    private final RateLimitedLog log = new RateLimitedLog(lines::add, inAMinute::add);

    @Test
    void the_first_is_logged_at_once_and_the_others_as_a_count() {
        for (int i = 0; i < 4_121; i++) {
            log.report("wrong keys", () -> lines.add("a wrong key"));
        }
        assertThat(lines).containsExactly("a wrong key");
        passAMinute();
        assertThat(lines)
                .containsExactly("a wrong key", "wrong keys: and 4,120 more within a minute");
        log.report("wrong keys", () -> lines.add("another"));
        assertThat(lines).endsWith("another").hasSize(3);
        passAMinute();
        assertThat(lines).hasSize(3);
    }

    @Test
    void countless_causes_are_reported_together() {
        for (int i = 0; i < 10_000; i++) {
            log.report("cause " + i, () -> lines.add("a line"));
        }
        assertThat(lines).hasSize(201);
        passAMinute();
        assertThat(lines).endsWith("other causes: and 9,799 more within a minute").hasSize(202);
    }

    private void passAMinute() {
        List<Runnable> due = List.copyOf(inAMinute);
        inAMinute.clear();
        due.forEach(Runnable::run);
    }
}
