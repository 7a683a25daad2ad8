package dev.skep.kernel.row;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * Times as they stand on disk and on the wire: UTC, ISO-8601, always with microseconds, so that
 * text order is time order. Every row has several, so the usual form is read and written by hand: a
 * start that loads ten thousand rows spends most of its time here otherwise.
 */
public final class Timestamps {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final String FORM = "0000-00-00T00:00:00.000000Z";
    private static final long DAY = 86_400;
    private static final LocalDate YEAR_ZERO = LocalDate.of(0, 1, 1);
    private static final LocalDate YEAR_10000 = LocalDate.of(10_000, 1, 1);
    private static final long FIRST = YEAR_ZERO.toEpochDay() * DAY;
    private static final long LAST = YEAR_10000.toEpochDay() * DAY - 1;

    private Timestamps() {}

    public static String format(Instant instant) {
        long seconds = instant.getEpochSecond();
        if (seconds < FIRST || seconds > LAST) {
            return MICROS.format(instant);
        }
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(seconds, DAY));
        int second = (int) Math.floorMod(seconds, DAY);
        char[] text = FORM.toCharArray();
        put(text, 0, 4, date.getYear());
        put(text, 5, 7, date.getMonthValue());
        put(text, 8, 10, date.getDayOfMonth());
        put(text, 11, 13, second / 3_600);
        put(text, 14, 16, second / 60 % 60);
        put(text, 17, 19, second % 60);
        put(text, 20, 26, instant.getNano() / 1_000);
        return new String(text);
    }

    private static void put(char[] text, int from, int to, int number) {
        int left = number;
        for (int i = to - 1; i >= from; i--) {
            text[i] = (char) ('0' + left % 10);
            left /= 10;
        }
    }

    public static Instant parse(String text) {
        if (text.length() != FORM.length()
                || text.charAt(4) != '-'
                || text.charAt(7) != '-'
                || text.charAt(10) != 'T'
                || text.charAt(13) != ':'
                || text.charAt(16) != ':'
                || text.charAt(19) != '.'
                || text.charAt(26) != 'Z') {
            return parseAny(text);
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        int micros = number(text, 20, 26);
        boolean isTime = hour <= 23 && minute <= 59 && second <= 59;
        if ((year | month | day | hour | minute | second | micros) < 0 || !isTime) {
            return parseAny(text);
        }
        return Instant.ofEpochSecond(
                LocalDate.of(year, month, day).toEpochDay() * DAY
                        + hour * 3_600L
                        + minute * 60L
                        + second,
                micros * 1_000L);
    }

    private static Instant parseAny(String text) {
        return Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
    }

    /** The number that the digits form; negative if they are no digits. */
    private static int number(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
