package dev.skep.dispatch.queue;

import java.time.Duration;

/**
 * How long a claim lasts without a heartbeat.
 *
 * @param timeoutGrace how long the hub waits beyond a run's timeout for its host's report
 */
public record QueueSettings(Duration lease, Duration timeoutGrace) {
    public static final QueueSettings STANDARD =
            new QueueSettings(Duration.ofSeconds(30), Duration.ofSeconds(15));
}
