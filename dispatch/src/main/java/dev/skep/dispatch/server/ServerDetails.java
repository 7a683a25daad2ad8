package dev.skep.dispatch.server;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A server instance as people see it.
 *
 * @param spec JSON: command, cwd, env, restart
 * @param state as its host last reported it
 * @param since when that began: a server that was started again is new
 */
public record ServerDetails(
        String id,
        String hostId,
        String name,
        @Nullable Object spec,
        String state,
        Instant since,
        Instant createdAt,
        Instant updatedAt) {}
