package dev.skep.supervisor.live;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position of a stream, as the id of its events: the process that numbered them, the number on
 * the board, and the last line of the log that it follows, if any.
 */
record StreamPosition(String process, long number, String line) {
    private static final Pattern SHAPE =
            Pattern.compile("([0-9a-z]{1,16})\\.([0-9]{1,18})(?:\\.([0-9A-Z]{1,32}))?");

    static Optional<StreamPosition> parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String line = parts.group(3) == null ? "" : parts.group(3);
        return Optional.of(
                new StreamPosition(parts.group(1), Long.parseLong(parts.group(2)), line));
    }

    @Override
    public String toString() {
        return process + "." + number + (line.isEmpty() ? "" : "." + line);
    }
}
