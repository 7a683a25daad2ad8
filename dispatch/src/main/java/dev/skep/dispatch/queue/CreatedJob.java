package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;

/**
 * A stored job and its newest run.
 *
 * @param isNew false where a job with the same idempotency key was there already
 */
public record CreatedJob(JobId job, RunId run, boolean isNew) {}
