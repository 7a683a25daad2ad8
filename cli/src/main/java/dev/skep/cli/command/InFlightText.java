package dev.skep.cli.command;

import java.time.Duration;
import java.time.Instant;

/** Describes how long an answer has been awaited, and whether no part of it arrives. */
final class InFlightText {
    /** Quicker answers are usual and not shown. */
    private static final Duration USUAL = Duration.ofSeconds(5);

    private InFlightText() {}

    /** Empty if none is awaited; times as in the API. */
    static String words(String askedAt, String movedAt, Instant now) {
        if (askedAt.isEmpty()) {
            return "";
        }
        Instant asked = Instant.parse(askedAt);
        Instant moved = movedAt.isEmpty() ? asked : Instant.parse(movedAt);
        Duration still = Duration.between(moved.isBefore(asked) ? asked : moved, now);
        String words = Math.max(0, Duration.between(asked, now).toSeconds()) + " s";
        return still.compareTo(USUAL) < 0
                ? words
                : "%s, no progress for %d s".formatted(words, still.toSeconds());
    }
}
