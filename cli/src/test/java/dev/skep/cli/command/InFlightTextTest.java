package dev.skep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class InFlightTextTest {
    private static final Instant NOW = Instant.parse("2027-01-01T00:01:00Z");

    private static String words(String asked, String moved) {
        return InFlightText.words(asked, moved, NOW);
    }

    @Test
    void what_is_awaited_is_told_with_how_long_and_that_nothing_comes() {
        assertThat(words("", "2027-01-01T00:00:00Z")).isEmpty();
        assertThat(words("2027-01-01T00:00:20Z", "2027-01-01T00:00:58Z")).isEqualTo("40 s");
        assertThat(words("2027-01-01T00:00:20Z", "2027-01-01T00:00:35Z"))
                .isEqualTo("40 s, no progress for 25 s");
        assertThat(words("2027-01-01T00:00:50Z", "2027-01-01T00:00:00Z"))
                .isEqualTo("10 s, no progress for 10 s");
    }
}
