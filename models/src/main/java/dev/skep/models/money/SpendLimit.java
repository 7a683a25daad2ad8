package dev.skep.models.money;

import java.time.Duration;

/** At most so much within any stretch of time this long. */
public record SpendLimit(Dollars amount, Duration window) {
    @Override
    public String toString() {
        return amount + " per " + words(window);
    }

    private static String words(Duration window) {
        long hours = window.toHours();
        if (hours >= 24 && hours % 24 == 0) {
            return hours == 24 ? "day" : hours / 24 + " days";
        }
        return hours >= 1 && window.equals(Duration.ofHours(hours))
                ? (hours == 1 ? "hour" : hours + " hours")
                : window.toSeconds() + " seconds";
    }
}
