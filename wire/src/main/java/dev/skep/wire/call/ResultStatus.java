package dev.skep.wire.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.Arrays;
import java.util.Locale;

/** The ways a run ends on its host; on the wire by their lower-case names. */
public enum ResultStatus {
    SUCCEEDED,
    FAILED,
    CANCELLED,
    TIMED_OUT;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static ResultStatus of(String label) {
        return Arrays.stream(values())
                .filter(status -> status.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.BAD_REQUEST,
                                        "status must be succeeded, failed, cancelled or timed_out"));
    }
}
