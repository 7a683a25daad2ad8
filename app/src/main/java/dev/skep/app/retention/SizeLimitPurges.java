package dev.skep.app.retention;

import java.util.OptionalLong;

/** What the last round purged before its time, because a file had outgrown its limit. */
public final class SizeLimitPurges {
    private volatile OptionalLong last = OptionalLong.empty();

    void round(long rows) {
        last = OptionalLong.of(rows);
    }

    /** How many rows; empty until this process has had a round. */
    public OptionalLong last() {
        return last;
    }
}
