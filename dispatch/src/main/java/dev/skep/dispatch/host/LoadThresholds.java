package dev.skep.dispatch.host;

import dev.skep.transport.route.JsonFields;
import java.util.List;
import java.util.Optional;

/** How much load makes a host unwell, by what it measured itself. */
public final class LoadThresholds {
    private static final List<Limit> LIMITS =
            List.of(new Limit("disk", 0.95), new Limit("memory", 0.95), new Limit("cpu", 0.98));

    /** The share of something above which a host is unwell. */
    private record Limit(String metric, double share) {
        Optional<String> exceeded(JsonFields metrics) {
            return metrics.decimal(metric)
                    .filter(measured -> measured > share)
                    .map(measured -> "its %s is at %.0f%%".formatted(metric, measured * 100));
        }
    }

    private LoadThresholds() {}

    /** What is over its limit, in words; the first of several. */
    public static Optional<String> in(JsonFields metrics) {
        return LIMITS.stream().flatMap(limit -> limit.exceeded(metrics).stream()).findFirst();
    }
}
