package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.Outcome;
import dev.skep.dispatch.job.RunId;
import org.jspecify.annotations.Nullable;

/**
 * How a host says a run ended.
 *
 * @param result a JSON value, or null
 */
public record Report(RunId run, int attempt, Outcome outcome, @Nullable String result) {}
