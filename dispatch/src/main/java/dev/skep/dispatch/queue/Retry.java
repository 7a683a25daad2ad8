package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.RunId;

/** What became of asking for another run. */
public sealed interface Retry {
    record Retried(RunId run) implements Retry {}

    /** It still waits or runs. */
    record StillActive() implements Retry {}

    record Unknown() implements Retry {}
}
