package dev.skep.dispatch.job;

import java.util.Locale;

/** The state of a run; on disk and wire by its lower-case name. */
public enum RunStatus {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    CANCELLED,
    TIMED_OUT,
    LOST;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static RunStatus of(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }

    public boolean isOver() {
        return this != PENDING && this != RUNNING;
    }
}
