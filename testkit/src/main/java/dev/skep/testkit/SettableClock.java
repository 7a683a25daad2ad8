package dev.skep.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is set. Thread-safe. */
public final class SettableClock implements InstantSource {
    private Instant now;

    public SettableClock(Instant start) {
        this.now = start;
    }

    public static SettableClock atNewYear() {
        return new SettableClock(Instant.parse("2027-01-01T00:00:00Z"));
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    public synchronized void set(Instant instant) {
        now = instant;
    }
}
