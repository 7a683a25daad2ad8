package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.RunId;

/** What became of asking for another run. */
public sealed interface RetryResult {
    record Retried(RunId run) implements RetryResult {}

    /** It still waits or runs. */
    record StillActive() implements RetryResult {}

    record Unknown() implements RetryResult {}
}
