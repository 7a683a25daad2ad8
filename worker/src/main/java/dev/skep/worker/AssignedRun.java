package dev.skep.worker;

import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.Optional;

/**
 * A run handed to this host.
 *
 * @param hub the name this host has for the hub it came from
 */
public record AssignedRun(
        String hub,
        String jobId,
        String runId,
        String type,
        JsonFields payload,
        int attempt,
        Optional<Duration> timeout) {}
