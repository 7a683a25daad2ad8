package dev.skep.worker;

import java.util.Locale;
import java.util.Map;

/**
 * How a run ended.
 *
 * @param detail what people are shown of it
 */
public record JobResult(Status status, Map<String, Object> detail) {
    /** The ways a run ends on its host; on the wire by their lower-case names. */
    public enum Status {
        SUCCEEDED,
        FAILED,
        CANCELLED,
        TIMED_OUT;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public static JobResult succeeded(Map<String, Object> detail) {
        return new JobResult(Status.SUCCEEDED, detail);
    }

    /** With one line that says what is wrong and what helps. */
    public static JobResult failed(String message) {
        return new JobResult(Status.FAILED, Map.of("error", message));
    }
}
