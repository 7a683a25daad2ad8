package dev.skep.dispatch.setting;

import dev.skep.transport.route.JsonFields;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How much load makes a host unwell, by what it measured itself: what is above any of these, in
 * percent.
 */
public record LoadThresholds(int cpu, int memory, int disk) {
    public static final LoadThresholds STANDARD = new LoadThresholds(98, 95, 95);

    /** What is over its limit, in words; the first of several. */
    public Optional<String> in(JsonFields metrics) {
        return Stream.of(
                        exceeded(metrics, "disk", disk),
                        exceeded(metrics, "memory", memory),
                        exceeded(metrics, "cpu", cpu))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> exceeded(JsonFields metrics, String metric, int percent) {
        return metrics.decimal(metric)
                .filter(measured -> measured * 100 > percent)
                .map(measured -> "its %s is at %.0f%%".formatted(metric, measured * 100));
    }
}
