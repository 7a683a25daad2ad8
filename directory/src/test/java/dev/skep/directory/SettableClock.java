package dev.skep.directory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves when the test says so. */
public final class SettableClock implements InstantSource {
    private volatile Instant now;

    public SettableClock(Instant now) {
        this.now = now;
    }

    public void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
