package dev.skep.agents.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An agent in a list of all.
 *
 * @param status as its host last said; true only if that host is there
 * @param reason why it is so; null where that needs no reason
 * @param budgetLeft micro-dollars until its limit, null without one
 * @param spent micro-dollars since the time asked for
 * @param run its newest run and session, null before the first
 * @param version of its name, title and configuration
 */
public record AgentRow(
        String id,
        String host,
        String username,
        @Nullable String title,
        String kind,
        @Nullable String lead,
        boolean nameConflict,
        boolean removed,
        String status,
        @Nullable String reason,
        @Nullable Instant lastActive,
        @Nullable Long budgetLeft,
        long unread,
        long spent,
        @Nullable String run,
        int session,
        @Nullable String model,
        long version) {}
