package dev.skep.dispatch.host;

import dev.skep.dispatch.job.HostLimits;
import java.util.Map;
import java.util.Optional;

/**
 * What an operator changes about a host; what is empty stays.
 *
 * @param degraded a reason to call it degraded, or the empty text to no longer do so
 */
public record HostEdit(
        Optional<String> name,
        Optional<Map<String, String>> labels,
        Optional<HostLimits> limits,
        Optional<String> degraded) {}
