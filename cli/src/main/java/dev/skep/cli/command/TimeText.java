package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A length of time as people type it. */
final class TimeText {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})([smh]?)");

    private TimeText() {}

    static long seconds(String flag, String text) {
        Matcher parts = TIME.matcher(text);
        if (!parts.matches()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "%s is \"%s\"; write seconds, or 90s, 15m, 2h".formatted(flag, text));
        }
        long count = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "m" -> Duration.ofMinutes(count).toSeconds();
            case "h" -> Duration.ofHours(count).toSeconds();
            default -> count;
        };
    }
}
