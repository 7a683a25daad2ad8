package dev.skep.dispatch.host;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operator changes about a host; what is empty stays.
 *
 * @param concurrent how many jobs it may run at the same time
 * @param degraded a reason to call it degraded, or the empty text to no longer do so
 */
public record HostEdit(
        Optional<String> name,
        Optional<Map<String, String>> labels,
        Optional<Integer> concurrent,
        Optional<PerMinute> perMinute,
        Optional<String> degraded) {

    /** How many runs may start within a minute; null for any number. */
    public record PerMinute(@Nullable Integer runs) {}
}
