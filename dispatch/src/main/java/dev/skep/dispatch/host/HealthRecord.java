package dev.skep.dispatch.host;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a host is decided from.
 *
 * @param beats how many came in a row since it was last offline
 * @param degradedByHand why an operator calls it degraded, or null
 */
public record HealthRecord(
        HostStatus status, @Nullable Instant lastBeat, int beats, @Nullable String degradedByHand) {
    public static final HealthRecord NEVER_SEEN =
            new HealthRecord(HostStatus.UNKNOWN, null, 0, null);
}
