package dev.skep.worker;

import dev.skep.wire.call.ResultStatus;
import java.util.Map;

/**
 * How a run ended.
 *
 * @param detail what people are shown of it
 */
public record JobResult(ResultStatus status, Map<String, Object> detail) {
    public static JobResult succeeded(Map<String, Object> detail) {
        return new JobResult(ResultStatus.SUCCEEDED, detail);
    }

    /** With one line that names the problem and the fix. */
    public static JobResult failed(String message) {
        return new JobResult(ResultStatus.FAILED, Map.of("error", message));
    }
}
