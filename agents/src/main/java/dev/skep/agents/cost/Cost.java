package dev.skep.agents.cost;

import dev.skep.agents.session.SessionKey;
import java.time.Instant;

/**
 * One paid model call.
 *
 * @param source why the model was asked: {@code turn}, {@code compaction}, {@code interrupted}
 * @param micros micro-dollars
 */
public record Cost(
        String id,
        SessionKey session,
        String source,
        String model,
        long micros,
        long inputTokens,
        long outputTokens,
        long cacheWriteTokens,
        long cacheReadTokens,
        Instant at) {}
