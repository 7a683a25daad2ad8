package dev.skep.models.provider;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** How long a provider asks to wait, in each of the headers used for that. */
final class RetryAfter {
    private RetryAfter() {}

    static @Nullable Duration of(HttpHeaders headers, InstantSource clock) {
        String millis = headers.firstValue("retry-after-ms").orElse("").strip();
        if (millis.matches("\\d{1,10}")) {
            return Duration.ofMillis(Long.parseLong(millis));
        }
        String value = headers.firstValue("retry-after").orElse("").strip();
        if (value.isEmpty()) {
            return null;
        }
        return value.matches("\\d{1,9}(\\.\\d+)?") ? seconds(value) : until(value, clock);
    }

    /** Rounded up to the millisecond: asking a moment early is asking too early. */
    static Duration seconds(String decimal) {
        return Duration.ofMillis(
                new BigDecimal(decimal)
                        .movePointRight(3)
                        .setScale(0, RoundingMode.CEILING)
                        .longValueExact());
    }

    private static @Nullable Duration until(String date, InstantSource clock) {
        try {
            Duration left =
                    Duration.between(
                            clock.instant(),
                            ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                                    .toInstant());
            return left.isNegative() ? Duration.ZERO : left;
        } catch (DateTimeException neither) {
            return null;
        }
    }
}
