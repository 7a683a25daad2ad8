package dev.skep.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.row.Timestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimestampsTest {
    private static final DateTimeFormatter PLAIN =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    @Test
    void every_time_is_written_as_the_library_would_and_read_back_to_the_microsecond() {
        Random random = new Random(11);
        for (int i = 0; i < 100_000; i++) {
            long seconds = random.nextLong(-70_000_000_000L, 260_000_000_000L);
            Instant instant = Instant.ofEpochSecond(seconds, random.nextInt(1_000_000_000));
            String text = Timestamps.format(instant);
            assertThat(text).isEqualTo(PLAIN.format(instant));
            if (text.length() == 27 && text.charAt(0) != '-') {
                assertThat(Timestamps.parse(text))
                        .isEqualTo(instant.truncatedTo(ChronoUnit.MICROS));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000-01-01T00:00:00.000000Z",
                "1969-12-31T23:59:59.999999Z",
                "2024-02-29T12:00:00.000001Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void the_edges_are_read_as_the_library_would(String text) {
        assertThat(Timestamps.parse(text)).isEqualTo(Instant.parse(text));
        assertThat(Timestamps.format(Instant.parse(text))).isEqualTo(text);
    }

    @Test
    void other_forms_are_read_too() {
        assertThat(Timestamps.parse("2027-01-01T00:00:00Z")).isEqualTo("2027-01-01T00:00:00Z");
        assertThat(Timestamps.parse("2027-01-01T00:00:00.123456789Z"))
                .isEqualTo("2027-01-01T00:00:00.123456Z");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2027-02-30T00:00:00.000000Z",
                "2027-01-01T25:00:00.000000Z",
                "2027-01-01T00:00:0x.000000Z",
                "2027-01-01 00:00:00.000000Z",
                ""
            })
    void what_is_no_time_is_refused(String text) {
        assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(DateTimeException.class);
    }
}
