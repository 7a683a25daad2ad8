package dev.skep.directory.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A host's connection, from when to when.
 *
 * @param hub where people reach the process it was with; empty if that was not known yet
 * @param address where the host came from
 * @param closedAt null while it is open, or if its end was not observed
 * @param reason why it ended
 */
public record ConnectionRecord(
        String id,
        String host,
        String hub,
        String address,
        Instant openedAt,
        @Nullable Instant closedAt,
        @Nullable String reason) {}
