package dev.skep.agents.view;

import java.time.Instant;

/** One line of a log, as stored. */
public record LogRow(
        String id,
        String agent,
        String run,
        int session,
        String host,
        String role,
        String source,
        String type,
        String message,
        Instant at) {}
