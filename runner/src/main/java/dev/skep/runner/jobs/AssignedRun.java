package dev.skep.runner.jobs;

import dev.skep.transport.route.Fields;
import java.time.Duration;
import java.util.Optional;

/** A run handed to this host. */
public record AssignedRun(
        String jobId,
        String runId,
        String type,
        Fields payload,
        int attempt,
        Optional<Duration> timeout) {}
