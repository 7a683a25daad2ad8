package dev.skep.agents.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One stretch of an agent running.
 *
 * @param totalCost micro-dollars
 * @param endedReason null while it can go on
 */
public record RunSession(
        SessionKey key,
        String model,
        @Nullable String latestLogId,
        long totalLines,
        long totalCost,
        Instant createdAt,
        Instant lastActive,
        @Nullable String endedReason) {

    public static RunSession begun(SessionKey key, String model, Instant now) {
        return new RunSession(key, model, null, 0, 0, now, now, null);
    }

    /** The session after some lines were logged and some money was spent. */
    public RunSession grown(String logId, int lines, long cost, Instant now) {
        return new RunSession(
                key,
                model,
                logId,
                totalLines + lines,
                totalCost + cost,
                createdAt,
                now,
                endedReason);
    }

    public RunSession ended(String reason, Instant now) {
        return new RunSession(
                key, model, latestLogId, totalLines, totalCost, createdAt, now, reason);
    }

    public RunSession withModel(String name) {
        return new RunSession(
                key, name, latestLogId, totalLines, totalCost, createdAt, lastActive, endedReason);
    }
}
