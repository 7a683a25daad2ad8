package dev.skep.kernel.row;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * Times as they stand on disk and on the wire: UTC, ISO-8601, always with microseconds, so that
 * text order is time order.
 */
public final class Timestamps {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Timestamps() {}

    public static String format(Instant instant) {
        return MICROS.format(instant);
    }

    public static Instant parse(String text) {
        return Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
    }
}
