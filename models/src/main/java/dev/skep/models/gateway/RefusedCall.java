package dev.skep.models.gateway;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A call that may not leave, with the reason for people. */
final class RefusedCall extends Exception {
    private static final long serialVersionUID = 1L;

    private final @Nullable Instant until;

    /** One that may be asked again at once, in another way. */
    RefusedCall(String why) {
        this(why, null);
    }

    RefusedCall(String why, @Nullable Instant until) {
        super(why, null, false, false);
        this.until = until;
    }

    String why() {
        String message = getMessage();
        return message == null ? "" : message;
    }

    /** When it is worth asking again; null for whenever it is asked in another way. */
    @Nullable Instant until() {
        return until;
    }
}
