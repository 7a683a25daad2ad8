package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * A host's report of how a run ended.
 *
 * @param result a JSON value, or null
 */
public record RunReport(RunId run, int attempt, RunOutcome outcome, @Nullable String result) {}
