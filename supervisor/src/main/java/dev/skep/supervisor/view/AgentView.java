package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An agent in a list.
 *
 * @param status what it does, or {@code unreachable} where its host is not there to say
 * @param reason why it is as its host last said; null where that needs no reason
 * @param spentToday micro-dollars since midnight UTC
 * @param version of its name, title and configuration
 */
public record AgentView(
        String id,
        String username,
        @Nullable String title,
        String kind,
        String host,
        String hostName,
        String status,
        String lastStatus,
        @Nullable String reason,
        @Nullable Instant lastActive,
        @Nullable String model,
        @Nullable String run,
        int session,
        long unread,
        long spentToday,
        @Nullable Long budgetLeft,
        boolean nameConflict,
        boolean removed,
        @Nullable String lead,
        long version)
        implements Keyed {}
