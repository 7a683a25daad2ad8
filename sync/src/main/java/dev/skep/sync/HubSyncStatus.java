package dev.skep.sync;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A link as the command line shows it. */
public record HubSyncStatus(
        String url,
        String hub,
        String state,
        String since,
        String heardAt,
        String problem,
        @Nullable Long lag,
        @Nullable Instant behindSince,
        @Nullable Instant askedAt,
        @Nullable Instant movedAt) {}
